import { z } from 'zod'

export const TestMail = z
  .object({
    to: z.string().describe('The recipient: the address of the signed-in user.'),
    from: z.string().describe('The sender: the address in `TRADEPOST_SMTP_URL`.'),
    sent: z.boolean().describe('True if the mail server accepted the mail.'),
    error: z
      .string()
      .nullable()
      .describe('The reason why the mail was not sent; null if it was sent.'),
  })
  .meta({ id: 'TestMail', description: 'The result of a test mail.' })
export type TestMail = z.output<typeof TestMail>
