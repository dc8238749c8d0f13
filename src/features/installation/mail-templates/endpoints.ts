import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { previewTemplate, testTemplate } from './preview-template.ts'
import {
  MailDraft,
  MailPreview,
  MailTemplate,
  MailTemplatePath,
  MailTest,
  NewMailText,
} from './schema.ts'
import { listTemplates, replaceText, restoreText } from './word-template.ts'

const PATH = '/account/mail-templates/:template/:language'
const TemplateAnswer = z.object({ mail_template: MailTemplate })

const EXAMPLE = {
  subject: 'Thank you for order {{order_number}}',
  body_text: 'Hello {{customer_name}},\n\nThank you for your order.\n\n{{items}}\n\n{{order_url}}',
}

export const mailTemplateEndpoints = [
  endpoint({
    id: 'account.list_mail_templates',
    method: 'GET',
    path: '/account/mail-templates',
    permission: 'account:read',
    summary: 'List the texts of mail in all languages.',
    response: z.object({
      mail_templates: z.array(MailTemplate).describe('Each template in each language.'),
    }),
    errors: [],
    handle: async ({ context }) => ({ mail_templates: await listTemplates(context) }),
  }),
  endpoint({
    id: 'account.replace_mail_template',
    method: 'PUT',
    path: PATH,
    permission: 'account:write',
    summary: 'Replace the text of a kind of mail in a language.',
    description:
      'Mail that is queued from now on has the text. An unknown placeholder is refused; `details.allowed` lists those that exist.',
    params: MailTemplatePath,
    body: NewMailText,
    example: EXAMPLE,
    response: TemplateAnswer,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'account.replace_mail_template', object: 'mail_template' },
    handle: async ({ context, params, body }) => ({
      mail_template: await replaceText(context, params, body),
    }),
  }),
  endpoint({
    id: 'account.restore_mail_template',
    method: 'DELETE',
    path: PATH,
    permission: 'account:write',
    summary: 'Restore the built-in text of a kind of mail in a language.',
    params: MailTemplatePath,
    response: TemplateAnswer,
    errors: ['NOT_FOUND'],
    audit: { action: 'account.restore_mail_template', object: 'mail_template' },
    handle: async ({ context, params }) => ({ mail_template: await restoreText(context, params) }),
  }),
  endpoint({
    id: 'account.preview_mail_template',
    method: 'POST',
    path: `${PATH}/preview`,
    permission: 'account:read',
    summary: 'Show a mail with sample values.',
    description: 'Fields that are sent replace those of the stored text. Nothing is stored.',
    params: MailTemplatePath,
    body: MailDraft,
    example: EXAMPLE,
    response: MailPreview,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: 'nothing',
    handle: ({ context, params, body }) => previewTemplate(context, params, body),
  }),
  endpoint({
    id: 'account.test_mail_template',
    method: 'POST',
    path: `${PATH}/test`,
    permission: 'account:write',
    summary: 'Send a mail with sample values to an address.',
    description:
      'The mail is listed in the outbox. The mail of a test side is stored and not sent. A store sends 60 test mails an hour.',
    params: MailTemplatePath,
    body: MailTest,
    example: { to: 'ada@example.com' },
    response: z.object({ to: z.string().describe('The recipient.') }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'account.test_mail_template', object: 'mail_template' },
    handle: ({ context, params, body }) => testTemplate(context, params, body.to),
  }),
]
