import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { PathId } from '../../../kernel/shapes.ts'
import { listReaders } from './list-readers.ts'
import { READ_KINDS, RecordReader } from './schema.ts'

/** Operations on the readers of strings, files and settings that only the dashboard has. */
export const readerEndpoints = [
  endpoint({
    id: 'record_readers.list',
    method: 'GET',
    path: '/record-readers',
    permission: 'client_security:read',
    summary: 'List the license keys that read a string, a file or the settings of an app.',
    description:
      'Lists the 100 keys with the latest reads of the past 90 days. A read appears within a second.',
    query: z.object({
      kind: z
        .enum(READ_KINDS)
        .describe('The kind of the record. `settings` are all settings of an app.'),
      record_id: PathId.describe('The id of the string or the file; of the app for settings.'),
    }),
    response: z.object({
      readers: z.array(RecordReader).describe('The readers, latest read first.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({ readers: await listReaders(context, query) }),
  }),
]
