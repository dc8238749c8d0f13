import { CommandError, command, needed, SILENT, STORE_OPTIONS } from '../../../command.ts'
import { parseDuration } from '../../../kernel/time.ts'

export const clockCommands = [
  command({
    name: 'clock advance',
    summary:
      "Move the clock of a store's test side by 45s, 90m, 12h or 3d; returns when everything that became due has run.",
    examples: ['tradepost clock advance 90m --test'],
    args: ['<duration>'],
    options: STORE_OPTIONS,
    needsWorkers: true,
    async run(app, input, { signal } = SILENT) {
      const { asStore, storeNamed } = await import('../stores/index.ts')
      const { advanceClock } = await import('./advance-clock.ts')
      const { isTooFar } = await import('./advance-test-clock.ts')
      const row = await storeNamed(app, input)
      const by_ms = parseDuration(needed(input, 'duration'))
      if (!by_ms) throw new CommandError('<duration>: write 45s, 90m, 12h or 3d.', 2)
      const side = asStore(row)
      if (isTooFar(side, by_ms)) throw new CommandError('A clock can be at most ten years ahead.')
      if (row.livemode)
        throw new CommandError(
          'The clock of a live store cannot be moved. Name its test side, or add --test.',
        )
      return { id: row.hash, now: await advanceClock(app, side, by_ms, { signal }) }
    },
    print: ({ id, now }) => `It is ${now} in ${id}.`,
  }),
]
