import { z } from 'zod'
import { DateTime } from '../../../kernel/shapes.ts'
import { parseDuration } from '../../../kernel/time.ts'

const DURATION_LENGTH_MAX = 10

export const ClockAdvance = z
  .strictObject({
    advance: z
      .string()
      .max(DURATION_LENGTH_MAX, `Write at most ${DURATION_LENGTH_MAX} characters.`)
      .refine(
        (text) => Boolean(parseDuration(text)),
        'Write a duration such as 45s, 90m, 12h or 3d.',
      )
      .meta({ pattern: '^0*[1-9][0-9]*[smhd]$' })
      .describe(
        'The duration, such as `45s`, `90m`, `12h` or `3d`. The clock can be at most ten years ahead.',
      ),
  })
  .meta({ id: 'ClockAdvance' })

export const ClockAdvanced = z.object({
  now: DateTime.describe("The current time of the store's clock."),
})
