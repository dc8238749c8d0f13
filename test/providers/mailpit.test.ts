import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMailJob } from '../../src/features/installation/index.ts'
import { keysNamed, order, product } from '../build.ts'
import { listen } from '../client/open-client.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { type Mailpit, startMailpit } from './mailpit.ts'

/** The share of mail programs that show the elements and styles of a mail, in percent. */
const SUPPORTED_MIN = 95

let mailpit: Mailpit
let tradepost: Tradepost

beforeAll(async () => {
  mailpit = await startMailpit()
  tradepost = await openTradepost({ env: { TRADEPOST_SMTP_URL: mailpit.smtpUrl } })
})
afterAll(async () => {
  await tradepost?.close()
  await mailpit?.stop()
})

async function sendAll(): Promise<Json[]> {
  while (await sendMailJob.run(tradepost.app));
  return (await mailpit.read('messages?limit=200')).messages
}

test('mail programs show every template in every language', async () => {
  const { mail_templates } = await expectSuccess(tradepost.get('/account/mail-templates'))
  for (const { template, language } of mail_templates) {
    const path = `/account/mail-templates/${template}/${language}/test`
    await expectSuccess(tradepost.post(path, { to: `${template}@${language}.example` }))
  }
  const messages = await sendAll()
  expect(messages).toHaveLength(mail_templates.length)
  for (const { ID, To } of messages) {
    const { Total, Warnings } = await mailpit.read(`message/${ID}/html-check`)
    const problems = Warnings.map(({ Slug, Score }: Json) => [Slug, Score.Supported])
    const message = `${To[0].Address}: ${JSON.stringify(problems)}`
    expect(Total.Supported, message).toBeGreaterThanOrEqual(SUPPORTED_MIN)
    const { HTML, Text } = await mailpit.read(`message/${ID}`)
    expect([HTML, Text].join('\n')).not.toMatch(/\{\{|undefined/)
  }
})

test('no link of the mail of an order is dead', async () => {
  const { origin } = new URL(await listen(tradepost))
  tradepost.app.config = { ...tradepost.app.config, publicUrl: origin }
  const { id } = await product(tradepost, {}, { keys: keysNamed('MAILPIT', 1) })
  const fields = { source: 'embed', mark_paid: true, customer: { email: 'linked@example.com' } }
  await order(tradepost, id, fields)
  const message = (await sendAll()).find(({ To }) => To[0].Address === 'linked@example.com')
  const { Errors, Links } = await mailpit.read(`message/${message.ID}/link-check`)
  expect([Errors, Links]).toEqual([0, [expect.objectContaining({ StatusCode: 200 })]])
})
