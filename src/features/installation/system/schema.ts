import { z } from 'zod'
import { DateTime } from '../../../kernel/shapes.ts'

export const ServiceConnection = z
  .object({
    name: z.enum(['database', 'storage', 'mail']).describe('The part of the installation.'),
    state: z
      .enum(['ok', 'failed', 'off'])
      .describe('`ok` if it answered the check, `off` if it is not configured.'),
    target: z
      .string()
      .nullable()
      .describe('The host, bucket or folder, without a user or a password; null if off.'),
    error: z.string().nullable().describe('The reason why the check failed; null if it did not.'),
    checked_at: DateTime.describe('The time when the check ended.'),
  })
  .meta({ id: 'SystemConnection', description: 'A connection of the installation.' })
export type ServiceConnection = z.output<typeof ServiceConnection>

export const SystemInfo = z
  .object({
    version: z.string().describe('The version of Tradepost.'),
    node: z.string().describe('The version of Node.js.'),
    postgres: z.string().describe('The version of PostgreSQL.'),
    is_embedded: z.boolean().describe('True if PostgreSQL runs inside of the process.'),
    schema_version: z.string().describe('The newest migration of the database.'),
    connections: z.array(ServiceConnection).describe('Each connection with its newest check.'),
  })
  .meta({ id: 'SystemInfo', description: 'The versions and connections of the installation.' })
export type SystemInfo = z.output<typeof SystemInfo>
