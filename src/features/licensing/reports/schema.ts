import { z } from 'zod'
import { CursorQuery } from '../../../kernel/client-shapes.ts'
import { DateTime, InputTime, PathId } from '../../../kernel/shapes.ts'
import { REPORT_ACTIONS, ReportKind } from '../apps/index.ts'

export const ClientReport = z
  .object({
    id: z.int().describe('The report id.'),
    object: z.literal('client_report').describe('Always `client_report`.'),
    app_id: z.int().describe('The app id.'),
    key_id: z.int().nullable().describe('The license key; null for a public session.'),
    device_id: z.int().nullable().describe('The device id.'),
    session_id: z.int().describe('The session that sent the report.'),
    kind: z.string().describe('The kind of report, as the program sent it.'),
    detail: z.string().describe('The details of the detection, as the program sent them.'),
    action: z.enum(REPORT_ACTIONS).describe('The action of the matching report rule.'),
    created_at: DateTime.describe('The time when the report was saved.'),
  })
  .meta({
    id: 'ClientReport',
    description: 'A report by a client program about an attempt to tamper with it.',
  })
export type ClientReport = z.output<typeof ClientReport>

export const ReportQuery = z.object({
  ...CursorQuery,
  app_id: PathId.optional().describe('Only reports of this app.'),
  key_id: PathId.optional().describe('Only reports of this license key.'),
  kind: ReportKind.optional().describe('Only reports of this kind.'),
  created_from: InputTime.optional().describe('Only reports saved at or after this moment.'),
  created_to: InputTime.optional().describe('Only reports saved before this moment.'),
})
export type ReportQuery = z.output<typeof ReportQuery>
