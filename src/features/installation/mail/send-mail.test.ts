import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { addKeys, order, product } from '../../../../test/build.ts'
import { type FakeSmtp, type FakeSmtpOptions, startFakeSmtp } from '../../../../test/fake-smtp.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { selfSigned } from '../../../../test/self-signed.ts'
import { sendMailJob } from './index.ts'

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

interface Scene {
  tradepost: Tradepost
  smtp: FakeSmtp
}

/** A shop with a mail server at this address; its user has a password. */
async function open(server: FakeSmtpOptions, query = ''): Promise<Scene> {
  const smtp = await startFakeSmtp(server)
  const url = smtp.url.replace('//', '//user:hunter2@') + query
  const tradepost = await openTradepost({ env: { TRADEPOST_SMTP_URL: url } })
  endings.push(smtp.close, tradepost.close)
  return { tradepost, smtp }
}

/** Sells a key and queues the mail that carries it. */
async function queueKey(tradepost: Tradepost, key: string, as = tradepost.live): Promise<void> {
  const game = await product(tradepost, { name: 'Game' }, { as })
  await addKeys(tradepost, game, [key], { as })
  const { id } = await order(tradepost, game.id, { mark_paid: true }, { as })
  const { status } = await tradepost.post(`/orders/${id}/deliveries/resend`, undefined, { as })
  expect(status).toBe(200)
}

async function mails({ db }: Tradepost): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select status, error, subject, content_enc is null as emptied, sent_at is not null as dated
      from mail order by id`.execute(db)
  return rows
}

const secrets = ({ clear }: FakeSmtp, key: string) =>
  clear.filter((line) => /AUTH|MAIL|hunter2/i.test(line) || line.includes(key))

describe('encryption (decision 128)', () => {
  test('where TLS is required and not offered, neither the password nor a key leaves (decision 128)', async () => {
    const { tradepost, smtp } = await open({}, '&tls=required')
    await queueKey(tradepost, 'TLS-KEY-0001')
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toEqual([])
    expect(secrets(smtp, 'TLS-KEY-0001')).toEqual([])
    const [mail] = await mails(tradepost)
    expect(mail).toMatchObject({ status: 'queued', emptied: false })
    expect(mail.error).toMatch(/did not agree to TLS.*Use smtps:\/\/, or .*\?tls=off/)
  })

  test('if TLS is required, an untrusted certificate is refused (decision 128)', async () => {
    const { tradepost, smtp } = await open({ starttls: selfSigned() }, '&tls=required')
    await queueKey(tradepost, 'TLS-KEY-0002')
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toEqual([])
    expect(secrets(smtp, 'TLS-KEY-0002')).toEqual([])
    expect(await mails(tradepost)).toMatchObject([
      { status: 'queued', error: expect.stringContaining('self-signed') },
    ])
  })

  test('smtps refuses an untrusted certificate (decision 128)', async () => {
    const { tradepost, smtp } = await open({ implicit: selfSigned() })
    await queueKey(tradepost, 'TLS-KEY-0003')
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toEqual([])
    expect(await mails(tradepost)).toMatchObject([{ status: 'queued' }])
  })

  test('a server on loopback may do without, and is encrypted where it offers TLS (decision 128)', async () => {
    const offering = await open({ starttls: selfSigned() })
    await queueKey(offering.tradepost, 'TLS-KEY-0004')
    await sendMailJob.run(offering.tradepost.app)
    expect(offering.smtp.letters).toMatchObject([{ encrypted: true }])
    expect(secrets(offering.smtp, 'TLS-KEY-0004')).toEqual([])
    const without = await open({})
    await queueKey(without.tradepost, 'TLS-KEY-0005')
    await sendMailJob.run(without.tradepost.app)
    expect(without.smtp.letters).toMatchObject([{ encrypted: false }])
  })

  test('tls=off sends plain text though TLS is offered (decision 128)', async () => {
    const { tradepost, smtp } = await open({ starttls: selfSigned() }, '&tls=off')
    await queueKey(tradepost, 'TLS-KEY-0006')
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toMatchObject([{ encrypted: false }])
  })
})

test('mail that was sent, or refused for good, keeps its subject and loses its text (decision 128)', async () => {
  const { tradepost, smtp } = await open({})
  await queueKey(tradepost, 'SENT-KEY-0001')
  await sendMailJob.run(tradepost.app)
  expect(smtp.letters[0]?.data).toContain('SENT-KEY-0001')
  smtp.refusals.push('550 Nobody here.')
  await queueKey(tradepost, 'SENT-KEY-0002')
  await sendMailJob.run(tradepost.app)
  expect(await mails(tradepost)).toMatchObject([
    { status: 'sent', subject: expect.stringContaining('Your order'), emptied: true, dated: true },
    { status: 'failed', emptied: true, dated: false },
  ])
})

test("mail is answered to the store's support address, where it names one (decision 144)", async () => {
  const { tradepost, smtp } = await open({})
  await queueKey(tradepost, 'REPLY-KEY-0001')
  await sendMailJob.run(tradepost.app)
  await tradepost.patch('/account/settings', { support_email: 'help@example.com' })
  await queueKey(tradepost, 'REPLY-KEY-0002')
  await sendMailJob.run(tradepost.app)
  const replies = smtp.letters.map(({ data }) => /^Reply-To: (.*?)\r?$/m.exec(data)?.[1])
  expect(replies).toEqual([undefined, 'help@example.com'])
})

describe('a process without a mail server (decision 128)', () => {
  const without = ({ app }: Tradepost) => ({ ...app, config: { ...app.config, smtp: undefined } })

  test('leaves mail to one that has a server, also while that one is away shortly (decision 128)', async () => {
    const { tradepost, smtp } = await open({})
    await sendMailJob.run(tradepost.app)
    await queueKey(tradepost, 'TWO-KEY-0001')
    await sendMailJob.run(without(tradepost))
    expect(await mails(tradepost)).toMatchObject([{ status: 'queued' }])
    await sql`update mail_sender set seen_at = now() - interval '14 minutes'`.execute(tradepost.db)
    await sendMailJob.run(without(tradepost))
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toHaveLength(1)
    expect(await mails(tradepost)).toMatchObject([{ status: 'sent' }])
  })

  test('keeps mail where no process has a server (decision 128)', async () => {
    const { tradepost, smtp } = await open({})
    await queueKey(tradepost, 'TWO-KEY-0002')
    await sendMailJob.run(without(tradepost))
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toEqual([])
    expect(await mails(tradepost)).toMatchObject([{ status: 'kept', emptied: false }])
  })

  test('keeps mail where the process that had a server is gone for good (decision 128)', async () => {
    const { tradepost } = await open({})
    await sendMailJob.run(tradepost.app)
    await sql`update mail_sender set seen_at = now() - interval '16 minutes'`.execute(tradepost.db)
    await queueKey(tradepost, 'TWO-KEY-0003')
    await sendMailJob.run(without(tradepost))
    expect(await mails(tradepost)).toMatchObject([{ status: 'kept' }])
  })
})
