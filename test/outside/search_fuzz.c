/*
 * search_fuzz.c
 *		Random trials of ranks 1 to 4, outside the server.
 *
 * With libFuzzer (FUZZ): its bytes make the choices of a trial.  Without:
 * search_fuzz SEED FIRST LAST STEP runs the trials of these numbers, each from
 * a generator that seed and number start, and says how many passed.
 */
#include "postgres.h"

#include <sanitizer/common_interface_defs.h>

#include "trial.h"

static void
run_trial(void *argument)
{
	Trial *trial = argument;
	int kind = draw_below(trial->draw, 33);

	if (kind == 0 && draw_below(trial->draw, 2) == 0)
		trial_sample(trial);
	else if (kind == 0)
		trial_dictionary(trial);
	else if (kind == 1)
		(draw_one_in(trial->draw, 2) ? trial_coarse : trial_count_table)(trial);
	else if (kind == 2)
		(draw_one_in(trial->draw, 2) ? trial_row_store : trial_frequency_set)(trial);
	else if (kind == 3)
		trial_lattice(trial);
	else if (kind == 4)
		trial_model(trial);
	else if (kind == 5)
		trial_suppress(trial);
	else if (kind <= 6)
		trial_local(trial);
	else if (kind == 32)
		trial_single(trial);
	else if (kind >= 30)
		trial_two_phase(trial);
	else if (kind >= 28)
		trial_anonymity(trial);
	else if (kind >= 26)
		trial_matching(trial);
	else
	{
		trial->table = table_draw(trial->draw);
		if (kind <= 9)
			trial_rollup(trial);
		else if (kind <= 11)
			trial_judge(trial);
		else
		{
			trial->oracle = oracle_ask(trial->table);
			trial_search(trial);
		}
	}
}

/* True if all was well; else the message. */
static bool
try_trial(Draw *draw, BackendError *error)
{
	Trial trial = {.draw = draw};
	bool passed;

	backend_cancel_after(0);
	passed = backend_try(run_trial, &trial, error) || trial_may_end(&trial, error);
	backend_forget();
	if (trial.table)
		table_free(trial.table);
	if (trial.oracle)
		oracle_free(trial.oracle);
	return passed;
}

#ifdef FUZZ

extern int LLVMFuzzerTestOneInput(const uint8 *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	Draw draw = {.bytes = data, .left = size, .state = 1};
	BackendError error;

	if (!try_trial(&draw, &error))
	{
		fprintf(stderr, "FAILED: %s\n", error.message);
		abort();
	}
	return 0;
}

#else

static uint64 seed;
static uint64 number;

static void
say_number(void)
{
	fprintf(stderr, "in case " UINT64_FORMAT " of seed " UINT64_FORMAT "\n", number, seed);
}

int
main(int argc, char **argv)
{
	int passed = 0;
	int failed = 0;
	uint64 last;
	uint64 step;

	if (argc == 2 && strcmp(argv[1], "pruning") == 0)
	{
		BackendError error;
		bool done = backend_try(trial_sample_print, NULL, &error);

		backend_forget();
		return done ? 0 : 1;
	}
	if (argc != 5)
	{
		fprintf(stderr, "usage: %s SEED FIRST LAST STEP, or %s pruning\n", argv[0], argv[0]);
		return 2;
	}
	seed = strtoull(argv[1], NULL, 10);
	last = strtoull(argv[3], NULL, 10);
	step = strtoull(argv[4], NULL, 10);
	__sanitizer_set_death_callback(say_number);
	for (number = strtoull(argv[2], NULL, 10); number <= last; number += step)
	{
		Draw draw = {.state = draw_mix(draw_mix(seed + 1) + number)};
		BackendError error;

		if (try_trial(&draw, &error))
			passed++;
		else
		{
			failed++;
			printf("FAILED case " UINT64_FORMAT " of seed " UINT64_FORMAT ": %s\n", number, seed,
				   error.message);
		}
	}
	trial_two_phase_report();
	trial_local_report();
	trial_suppress_report();
	printf("%d passed, %d failed\n", passed, failed);
	return failed > 0;
}

#endif
