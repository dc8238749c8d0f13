import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { addKeys, order, product } from '../../../../test/build.ts'
import { type FakeSmtp, type FakeSmtpOptions, startFakeSmtp } from '../../../../test/fake-smtp.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { selfSigned } from '../../../../test/self-signed.ts'
import { sendMailJob } from './index.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

interface Setup {
  tradepost: Tradepost
  smtp: FakeSmtp
}

/** Opens a store with a mail server that requires a password. `query` is the query of the server's URL. */
async function openWithSmtp(server: FakeSmtpOptions, query = ''): Promise<Setup> {
  const smtp = await startFakeSmtp(server)
  const url = smtp.url.replace('//', '//user:hunter2@') + query
  const tradepost = await openTradepost({ env: { TRADEPOST_SMTP_URL: url } })
  cleanups.push(smtp.close, tradepost.close)
  return { tradepost, smtp }
}

/** Sells a key, and queues the mail that contains it. */
async function queueKey(tradepost: Tradepost, key: string, as = tradepost.live): Promise<void> {
  const game = await product(tradepost, { name: 'Game' }, { as })
  await addKeys(tradepost, game, [key], { as })
  const { id } = await order(tradepost, game.id, { mark_paid: true }, { as })
  const { status } = await tradepost.post(`/orders/${id}/deliveries/resend`, undefined, { as })
  expect(status).toBe(200)
}

async function mails({ db }: Tradepost): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select status, error, subject, content_enc is null as is_text_deleted, sent_at is not null as has_sent_at
      from mail order by id`.execute(db)
  return rows
}

/** Returns the unencrypted lines with a password, an address or the key. */
const unencryptedSecrets = ({ plaintextLines }: FakeSmtp, key: string) =>
  plaintextLines.filter((line) => /AUTH|MAIL|hunter2/i.test(line) || line.includes(key))

describe('encryption (decision 128)', () => {
  test('if TLS is required and not offered, neither the password nor a key is sent (decision 128)', async () => {
    const { tradepost, smtp } = await openWithSmtp({}, '&tls=required')
    await queueKey(tradepost, 'TLS-KEY-0001')
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toEqual([])
    expect(unencryptedSecrets(smtp, 'TLS-KEY-0001')).toEqual([])
    const [mail] = await mails(tradepost)
    expect(mail).toMatchObject({ status: 'queued', is_text_deleted: false })
    expect(mail.error).toMatch(/does not support TLS.*Use smtps:\/\/, or .*\?tls=off/)
  })

  test('if TLS is required, an untrusted certificate is refused (decision 128)', async () => {
    const { tradepost, smtp } = await openWithSmtp({ starttls: selfSigned() }, '&tls=required')
    await queueKey(tradepost, 'TLS-KEY-0002')
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toEqual([])
    expect(unencryptedSecrets(smtp, 'TLS-KEY-0002')).toEqual([])
    expect(await mails(tradepost)).toMatchObject([
      { status: 'queued', error: expect.stringContaining('self-signed') },
    ])
  })

  test('smtps refuses an untrusted certificate (decision 128)', async () => {
    const { tradepost, smtp } = await openWithSmtp({ implicit: selfSigned() })
    await queueKey(tradepost, 'TLS-KEY-0003')
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toEqual([])
    expect(await mails(tradepost)).toMatchObject([{ status: 'queued' }])
  })

  test('a server on loopback may lack TLS, and its TLS is used if it is offered (decision 128)', async () => {
    const withTls = await openWithSmtp({ starttls: selfSigned() })
    await queueKey(withTls.tradepost, 'TLS-KEY-0004')
    await sendMailJob.run(withTls.tradepost.app)
    expect(withTls.smtp.letters).toMatchObject([{ encrypted: true }])
    expect(unencryptedSecrets(withTls.smtp, 'TLS-KEY-0004')).toEqual([])
    const withoutTls = await openWithSmtp({})
    await queueKey(withoutTls.tradepost, 'TLS-KEY-0005')
    await sendMailJob.run(withoutTls.tradepost.app)
    expect(withoutTls.smtp.letters).toMatchObject([{ encrypted: false }])
  })

  test('tls=off sends plain text even if TLS is offered (decision 128)', async () => {
    const { tradepost, smtp } = await openWithSmtp({ starttls: selfSigned() }, '&tls=off')
    await queueKey(tradepost, 'TLS-KEY-0006')
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toMatchObject([{ encrypted: false }])
  })
})

test('mail that was sent or permanently refused keeps its subject and loses its text (decision 128)', async () => {
  const { tradepost, smtp } = await openWithSmtp({})
  await queueKey(tradepost, 'SENT-KEY-0001')
  await sendMailJob.run(tradepost.app)
  expect(smtp.letters[0]?.data).toContain('SENT-KEY-0001')
  smtp.refusals.push('550 Nobody here.')
  await queueKey(tradepost, 'SENT-KEY-0002')
  await sendMailJob.run(tradepost.app)
  expect(await mails(tradepost)).toMatchObject([
    {
      status: 'sent',
      subject: expect.stringContaining('Your order'),
      is_text_deleted: true,
      has_sent_at: true,
    },
    { status: 'bounced', is_text_deleted: true, has_sent_at: false },
  ])
})

test("replies to mail go to the store's support address if there is one (decision 144)", async () => {
  const { tradepost, smtp } = await openWithSmtp({})
  await queueKey(tradepost, 'REPLY-KEY-0001')
  await sendMailJob.run(tradepost.app)
  await tradepost.patch('/account/settings', { support_email: 'help@example.com' })
  await queueKey(tradepost, 'REPLY-KEY-0002')
  await sendMailJob.run(tradepost.app)
  const replies = smtp.letters.map(({ data }) => /^Reply-To: (.*?)\r?$/m.exec(data)?.[1])
  expect(replies).toEqual([undefined, 'help@example.com'])
})

describe('a process without a mail server (decision 128)', () => {
  const withoutMailServer = ({ app }: Tradepost) => ({
    ...app,
    config: { ...app.config, smtp: undefined },
  })

  test('leaves mail to a process that has one, even if that process is briefly stopped (decision 128)', async () => {
    const { tradepost, smtp } = await openWithSmtp({})
    await sendMailJob.run(tradepost.app)
    await queueKey(tradepost, 'TWO-KEY-0001')
    await sendMailJob.run(withoutMailServer(tradepost))
    expect(await mails(tradepost)).toMatchObject([{ status: 'queued' }])
    await sql`update mail_sender set seen_at = now() - interval '14 minutes'`.execute(tradepost.db)
    await sendMailJob.run(withoutMailServer(tradepost))
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toHaveLength(1)
    expect(await mails(tradepost)).toMatchObject([{ status: 'sent' }])
  })

  test('keeps mail if no process has a server (decision 128)', async () => {
    const { tradepost, smtp } = await openWithSmtp({})
    await queueKey(tradepost, 'TWO-KEY-0002')
    await sendMailJob.run(withoutMailServer(tradepost))
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toEqual([])
    expect(await mails(tradepost)).toMatchObject([{ status: 'kept', is_text_deleted: false }])
  })

  test('keeps mail if the process that had a server is permanently stopped (decision 128)', async () => {
    const { tradepost } = await openWithSmtp({})
    await sendMailJob.run(tradepost.app)
    await sql`update mail_sender set seen_at = now() - interval '16 minutes'`.execute(tradepost.db)
    await queueKey(tradepost, 'TWO-KEY-0003')
    await sendMailJob.run(withoutMailServer(tradepost))
    expect(await mails(tradepost)).toMatchObject([{ status: 'kept' }])
  })
})
