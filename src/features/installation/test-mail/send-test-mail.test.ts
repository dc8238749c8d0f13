import { afterEach, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/browser-session.ts'
import { startFakeSmtp } from '../../../../test/fake-smtp.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function open(env: Record<string, string> = {}): Promise<Tradepost> {
  const tradepost = await openTradepost({ env })
  endings.push(tradepost.close)
  return tradepost
}

const sendTestMail = (tradepost: Tradepost, user: SignedIn) =>
  user.post(`/stores/${tradepost.live.id}/test-mail`)

test('a test mail goes through the configured server to the signed-in user', async () => {
  const smtp = await startFakeSmtp()
  endings.push(smtp.close)
  const tradepost = await open({ TRADEPOST_SMTP_URL: smtp.url })
  const owner = await signedIn(tradepost)
  const { status, json } = await sendTestMail(tradepost, owner)
  expect(status).toBe(200)
  expect(json.mail).toMatchObject({ to: owner.email, sent: true, error: null })
  expect(smtp.letters).toMatchObject([{ to: [owner.email] }])
})

test('the refusal of the mail server is in the answer', async () => {
  const smtp = await startFakeSmtp()
  endings.push(smtp.close)
  const tradepost = await open({ TRADEPOST_SMTP_URL: smtp.url })
  smtp.refusals.push('550 This address is not welcome.')
  const { status, json } = await sendTestMail(tradepost, await signedIn(tradepost))
  expect(status).toBe(200)
  expect(json.mail).toMatchObject({ sent: false })
  expect(json.mail.error).toContain('not welcome')
})

test('a test mail is refused without a mail server, naming the setting, and to staff', async () => {
  const tradepost = await open()
  const { status, json } = await sendTestMail(tradepost, await signedIn(tradepost))
  expect(status).toBe(409)
  expect(json).toMatchObject({ code: 'INVALID_STATE' })
  expect(json.error).toContain('TRADEPOST_SMTP_URL')
  const staffAnswer = await sendTestMail(tradepost, await signedIn(tradepost, 'staff'))
  expect(staffAnswer.json.code).toBe('INSUFFICIENT_SCOPE')
})
