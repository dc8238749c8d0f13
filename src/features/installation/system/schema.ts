import { z } from 'zod'
import { DateTime } from '../../../kernel/shapes.ts'
import { PART_NAMES, PART_PROBLEMS, PART_STATES } from '../../../kernel/system-parts.ts'

export const SystemPart = z
  .object({
    name: z.enum(PART_NAMES).describe('The part of the installation.'),
    state: z
      .enum(PART_STATES)
      .describe(
        '`ok`, `warning` if something should be done soon, `failed` if something does not work, or `off` if it is not configured.',
      ),
    problem: z.enum(PART_PROBLEMS).nullable().describe('The fault; null if there is none.'),
    values: z
      .record(z.string(), z.number())
      .describe('The figures of the check, such as `free_bytes` of the disk.'),
    target: z
      .string()
      .nullable()
      .describe('The host, bucket or folder, without a user or a password; null if there is none.'),
    error: z.string().nullable().describe('The reason why the check failed; null if it did not.'),
    checked_at: DateTime.describe('The time when the check ended.'),
  })
  .meta({ id: 'SystemPart', description: 'A part of the installation, with its newest check.' })
export type SystemPart = z.output<typeof SystemPart>

export const SystemInfo = z
  .object({
    version: z.string().describe('The version of Tradepost.'),
    node: z.string().describe('The version of Node.js.'),
    postgres: z.string().describe('The version of PostgreSQL.'),
    is_embedded: z.boolean().describe('True if PostgreSQL runs inside of the process.'),
    schema_version: z.string().describe('The newest migration of the database.'),
    parts: z
      .array(SystemPart)
      .describe('Each part with its newest check. `receivers` are those of this store.'),
  })
  .meta({ id: 'SystemInfo', description: 'The versions and parts of the installation.' })
export type SystemInfo = z.output<typeof SystemInfo>
