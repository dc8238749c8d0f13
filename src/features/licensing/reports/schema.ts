import { z } from 'zod'
import { CursorQuery } from '../../../kernel/client-shapes.ts'
import { DateTime, PathId, QueryTime } from '../../../kernel/shapes.ts'
import { REPORT_ACTIONS, ReportKind } from '../apps/index.ts'

export const ClientReport = z
  .object({
    id: z.int().describe('Of the report.'),
    object: z.literal('client_report').describe('Always `client_report`.'),
    app_id: z.int().describe('The app.'),
    key_id: z.int().nullable().describe('The license key; null for a public session.'),
    device_id: z.int().nullable().describe('The device.'),
    session_id: z.int().describe('The session that told it.'),
    kind: z.string().describe('What the program calls it.'),
    detail: z.string().describe('What the program saw.'),
    action: z.enum(REPORT_ACTIONS).describe('What the rule of the app did about it.'),
    created_at: DateTime.describe('When.'),
  })
  .meta({ id: 'ClientReport', description: 'What a program saw of an attempt to cheat it.' })
export type ClientReport = z.output<typeof ClientReport>

export const ReportQuery = z.object({
  ...CursorQuery,
  app_id: PathId.optional().describe('Only of this app.'),
  key_id: PathId.optional().describe('Only of this license key.'),
  kind: ReportKind.optional().describe('Only of this kind.'),
  created_from: QueryTime.optional().describe('From then on.'),
  created_to: QueryTime.optional().describe('Before then.'),
})
export type ReportQuery = z.output<typeof ReportQuery>
