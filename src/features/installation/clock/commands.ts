import { CommandError, command, requiredArgument, SILENT, STORE_OPTIONS } from '../../../command.ts'
import { parseDuration } from '../../../kernel/time.ts'

export const clockCommands = [
  command({
    name: 'clock advance',
    summary:
      "Move the clock of a store's test side forward, such as by 45s, 90m, 12h or 3d, and run all work that becomes due.",
    examples: ['tradepost clock advance 90m'],
    args: ['<duration>'],
    options: STORE_OPTIONS,
    needsWorkers: true,
    async run(app, input, { signal } = SILENT) {
      const { findNamedStore } = await import('../stores/index.ts')
      const { advanceClock } = await import('./advance-clock.ts')
      const { isTooFar } = await import('./advance-test-clock.ts')
      // Only a test side has a clock that can be moved, so `--test` may be omitted.
      const side = await findNamedStore(app, input.store === undefined ? { test: true } : input)
      const by_ms = parseDuration(requiredArgument(input, 'duration'))
      if (!by_ms) throw new CommandError('<duration>: write 45s, 90m, 12h or 3d.', 2)
      if (isTooFar(side, by_ms)) throw new CommandError('A clock can be at most ten years ahead.')
      if (side.livemode)
        throw new CommandError(
          'The clock of a live store cannot be moved. Pass the id of its test side, which stores list shows.',
        )
      return { id: side.hash, now: await advanceClock(app, side, by_ms, { signal }) }
    },
    print: ({ id, now }) => `It is ${now} in ${id}.`,
  }),
]
