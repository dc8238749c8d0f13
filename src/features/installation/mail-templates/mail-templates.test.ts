import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../../test/audited.ts'
import { order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { mailsTo } from '../../../../test/mails.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const PATH = '/account/mail-templates'
const TEXT = { subject: 'Order {{order_number}}', body_text: 'Thanks, {{customer_name}}.' }

const listTemplates = async (): Promise<Json[]> =>
  (await expectSuccess(tradepost.get(PATH))).mail_templates
const templateOf = async (template: string, language: string): Promise<Json> =>
  (await listTemplates()).find((item) => item.template === template && item.language === language)

/** Returns the status, the field and the details of the refusal of a text. */
const refusalOf = async (text: Json) => {
  const { status, json } = await tradepost.put(`${PATH}/order_paid/en`, text)
  return [status, json.details?.field]
}

describe('the texts of a store', () => {
  test('are the built-in ones in three languages until they are replaced, and again after that', async () => {
    const templates = await listTemplates()
    expect(templates).toHaveLength(36)
    expect(templates.every(({ custom }) => custom === false)).toBe(true)
    const builtIn = await templateOf('order_paid', 'de')
    const { mail_template } = await expectSuccess(tradepost.put(`${PATH}/order_paid/de`, TEXT))
    const key = { object: 'mail_template', template: 'order_paid', language: 'de' }
    expect(mail_template).toEqual({ ...key, ...TEXT, custom: true })
    expect(await templateOf('order_paid', 'de')).toEqual(mail_template)
    expect((await templateOf('order_paid', 'en')).custom).toBe(false)
    const other = await tradepost.get(PATH, { as: tradepost.other })
    expect(other.json.mail_templates.some(({ custom }: Json) => custom)).toBe(false)
    const restored = await expectSuccess(tradepost.delete(`${PATH}/order_paid/de`))
    expect(restored.mail_template).toEqual(builtIn)
    expect(await templateOf('order_paid', 'de')).toEqual(builtIn)
  })

  test('leave out those of users, and an unknown template or language is 404', async () => {
    for (const path of ['password_reset/en', 'email_change/en', 'order_paid/fr', 'nothing/en']) {
      const { status, json } = await tradepost.put(`${PATH}/${path}`, TEXT)
      expect([status, json.code], path).toEqual([404, 'NOT_FOUND'])
    }
    const { json } = await tradepost.put(`${PATH}/order_paid/fr`, TEXT)
    expect([json.error, json.details]).toEqual([
      'There is no text of order_paid in the language fr. Use one of en, de, es.',
      { allowed: ['en', 'de', 'es'] },
    ])
    const missing = (await tradepost.put(`${PATH}/nothing/en`, TEXT)).json
    expect(missing.error).toMatch(/^There is no mail template nothing\. Use one of .*order_paid/)
    expect(missing.details.allowed).toContain('order_paid')
  })

  test('refuse an unknown placeholder, and name the allowed ones', async () => {
    const { status, json } = await tradepost.put(`${PATH}/order_paid/en`, {
      ...TEXT,
      body_text: 'Hello {{ user }}',
    })
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'body_text'])
    expect(json.details.allowed).toContain('customer_name')
    expect(await refusalOf({ ...TEXT, subject: '{{keys}}' })).toEqual([422, 'subject'])
    expect(await refusalOf({ ...TEXT, subject: '{{order_url}}' })).toEqual([422, 'subject'])
  })

  test('refuse line breaks in a subject, and empty or long texts', async () => {
    expect(await refusalOf({ ...TEXT, subject: 'Hi\r\nBcc: eve@example.com' })).toEqual([
      422,
      'subject',
    ])
    expect(await refusalOf({ ...TEXT, subject: 'x'.repeat(151) })).toEqual([422, 'subject'])
    expect(await refusalOf({ ...TEXT, body_text: ' ' })).toEqual([422, 'body_text'])
    expect(await refusalOf({ ...TEXT, body_text: 'x'.repeat(10_001) })).toEqual([422, 'body_text'])
    expect(await refusalOf({ subject: 'Hi' })).toEqual([422, 'body_text'])
  })

  test('are audited, and a restored text that was not replaced is no change', async () => {
    const since = await lastAuditId(tradepost)
    await expectSuccess(tradepost.put(`${PATH}/order_shipped/es`, TEXT))
    await expectSuccess(tradepost.delete(`${PATH}/order_shipped/es`))
    await expectSuccess(tradepost.delete(`${PATH}/order_shipped/es`))
    const events = await auditEventsSince(tradepost, since)
    expect(events.map(({ action }: Json) => action)).toEqual([
      'account.replace_mail_template',
      'account.restore_mail_template',
    ])
  })

  test('need account:write to be changed', async () => {
    const as = await tradepost.key({ permissions: ['account:read'] })
    expect((await tradepost.get(PATH, { as })).status).toBe(200)
    expect((await tradepost.put(`${PATH}/order_paid/en`, TEXT, { as })).json.code).toBe(
      'INSUFFICIENT_SCOPE',
    )
  })
})

describe('a mail', () => {
  test('has the text of the store in the language of its order', async () => {
    const as = tradepost.test
    const path = `${PATH}/order_delivery/es`
    await expectSuccess(tradepost.put(path, { ...TEXT, body_text: '{{keys}}\n\n¡Adiós!' }, { as }))
    const { id } = await product(tradepost, {}, { keys: ['CUSTOM-KEY-0001'], as })
    const fields = {
      mark_paid: true,
      language: 'es',
      source: 'embed',
      customer: { email: 'es@example.com' },
    }
    const { number } = await order(tradepost, id, fields, { as })
    const [mail, ...more] = await mailsTo(tradepost, 'es@example.com')
    expect(more).toEqual([])
    expect(mail.subject).toBe(`Order ${number}`)
    expect(mail.text).toMatch(/CUSTOM-KEY-0001\n\n¡Adiós!/)
  })

  test('is previewed with a draft that is not stored', async () => {
    const since = await lastAuditId(tradepost)
    const draft = { body_text: 'Hello {{customer_name}} <b>\n\n{{order_url}}' }
    const preview = await expectSuccess(tradepost.post(`${PATH}/order_paid/de/preview`, draft))
    expect(preview).toEqual({
      success: true,
      subject: 'Vielen Dank für Ihre Bestellung 1042',
      html: expect.stringContaining('Hello Ada Lovelace &lt;b&gt;'),
      text: expect.stringContaining('Bestellung ansehen:\nhttps://example.com/order'),
    })
    expect((await templateOf('order_paid', 'de')).custom).toBe(false)
    const refusal = await tradepost.post(`${PATH}/order_paid/de/preview`, { subject: '{{x}}' })
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'subject'])
    expect(await auditEventsSince(tradepost, since)).toEqual([])
  })

  test('is sent to one address as a test', async () => {
    const { to } = await expectSuccess(
      tradepost.post(`${PATH}/order_shipped/en/test`, { to: 'Probe@example.com' }),
    )
    expect(to).toBe('probe@example.com')
    expect(await mailsTo(tradepost, 'probe@example.com')).toMatchObject([
      { status: 'queued', subject: 'Your order 1042 is on its way' },
    ])
  })

  test('is sent at most 60 times an hour as a test', async () => {
    const as = tradepost.other
    const send = () => tradepost.post(`${PATH}/order_paid/en/test`, { to: 'a@example.com' }, { as })
    for (let n = 0; n < 60; n++) expect((await send()).status).toBe(200)
    const { status, json, headers } = await send()
    expect([status, json.code, headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '3600'])
    expect(await mailsTo(tradepost, 'a@example.com')).toHaveLength(60)
  })
})
