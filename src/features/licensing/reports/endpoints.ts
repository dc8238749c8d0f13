import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { NextCursor } from '../../../kernel/client-shapes.ts'
import { listReports } from './list-reports.ts'
import { ClientReport, ReportQuery } from './schema.ts'

export const reportEndpoints = [
  endpoint({
    id: 'client_reports.list',
    method: 'GET',
    path: '/client-reports',
    permission: 'client_security:read',
    summary: 'List reports by client programs, newest first.',
    query: ReportQuery,
    response: z.object({
      client_reports: z.array(ClientReport).describe('A page of reports.'),
      next_cursor: NextCursor,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listReports(context, query),
  }),
]
