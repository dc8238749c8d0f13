import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { TestMail } from './schema.ts'
import { sendTestMail } from './send-test-mail.ts'

/** The test of the mail server. Only the dashboard mounts this endpoint. */
export const testMailEndpoints = [
  endpoint({
    id: 'test_mail.send',
    method: 'POST',
    path: '/test-mail',
    permission: 'account:write',
    summary: 'Send a test mail to yourself, and wait for the answer of the mail server.',
    response: z.object({ mail: TestMail }),
    errors: ['INVALID_STATE'],
    audit: { action: 'test_mail.send', object: 'test_mail' },
    prepare: ({ context }, { config }) => sendTestMail(context, config.smtp),
    async handle({ context, prepared }) {
      context.audit.reportChange(null, { to: prepared.to, sent: prepared.sent })
      return { mail: prepared }
    },
  }),
]
