import { z } from 'zod'
import { DateTime } from '../../../kernel/shapes.ts'
import { parseDuration } from '../../../kernel/time.ts'

const DURATION_MAX = 10

export const ClockAdvance = z
  .strictObject({
    advance: z
      .string()
      .max(DURATION_MAX, `Write at most ${DURATION_MAX} characters.`)
      .refine(
        (text) => Boolean(parseDuration(text)),
        'Write a duration such as 45s, 90m, 12h or 3d.',
      )
      .meta({ pattern: '^0*[1-9][0-9]*[smhd]$' })
      .describe('By how much: `45s`, `90m`, `12h` or `3d`. At most ten years ahead in all.'),
  })
  .meta({ id: 'ClockAdvance' })

export const ClockAdvanced = z.object({
  now: DateTime.describe("The current time of the store's clock."),
})
