import { createHash, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
async function openWithSmtp(
  server: FakeSmtpOptions,
  query = '',
  env: Record<string, string> = {},
): Promise<Setup> {
  const smtp = await startFakeSmtp(server)
  const url = smtp.url.replace('//', '//user:hunter2@') + query
  const tradepost = await openTradepost({ env: { TRADEPOST_SMTP_URL: url, ...env } })
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

describe('a sent mail', () => {
  test('has HTML and text, the name of the sender, and headers against answers of programs', async () => {
    const { tradepost, smtp } = await openWithSmtp({})
    const names = { mail_from_name: 'Ada, "the" corner', support_email: null }
    await tradepost.patch('/account/settings', names)
    await queueKey(tradepost, 'HEADERS-KEY-0001')
    smtp.refusals.push('451 Later.')
    await sendMailJob.run(tradepost.app)
    await sql`update mail set due_at = now()`.execute(tradepost.db)
    await sendMailJob.run(tradepost.app)
    const [letter] = smtp.letters
    expect(letter?.data).toMatch(/^From: "Ada, \\"the\\" corner" <shop@example\.com>$/m)
    expect(letter?.data).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(letter?.data).toMatch(/^Message-ID: <msg_\w+\.1@example\.com>$/m)
    expect(letter?.data.match(/^Content-Type: .*/gm)).toEqual([
      'Content-Type: multipart/alternative;',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Type: text/html; charset=utf-8',
    ])
  })

  test('comes from TRADEPOST_MAIL_FROM, and is signed with the key of its domain', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tradepost-dkim-'))
    cleanups.push(() => rm(folder, { recursive: true }))
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const path = join(folder, 'dkim.pem')
    await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const { tradepost, smtp } = await openWithSmtp({}, '', {
      TRADEPOST_MAIL_FROM: 'orders@corner.example',
      TRADEPOST_DKIM_KEY: path,
      TRADEPOST_DKIM_SELECTOR: 'mail2026',
    })
    await queueKey(tradepost, 'SIGNED-KEY-0001')
    await sendMailJob.run(tradepost.app)
    const [letter] = smtp.letters
    expect(letter?.from).toBe('orders@corner.example')
    const { tags, isValid } = checkSignature(letter?.data ?? '', publicKey)
    expect(tags).toMatchObject({ d: 'corner.example', s: 'mail2026', a: 'rsa-sha256' })
    expect(tags.h?.toLowerCase()).toContain('subject')
    expect(isValid).toBe(true)
  })
})

/** Checks the DKIM signature of a mail with relaxed canonicalization (RFC 6376). */
function checkSignature(data: string, publicKey: KeyObject) {
  const [head = '', ...bodyParts] = data.split('\n\n')
  const body = `${bodyParts.join('\n\n').replace(/\n+$/, '')}\n`
  const headers = head.split(/\n(?![ \t])/).map((line) => {
    const [name = '', ...value] = line.split(':')
    return { name: name.toLowerCase(), value: value.join(':').replace(/\s+/g, ' ').trim() }
  })
  const signature = headers.find(({ name }) => name === 'dkim-signature')?.value ?? ''
  const tags = Object.fromEntries(
    signature
      .split('; ')
      .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  ) as Record<string, string>
  const canonicalBody = body
    .replace(/[ \t]+/g, ' ')
    .replace(/ +\n/g, '\n')
    .replaceAll('\n', '\r\n')
  const bodyHash = createHash('sha256').update(canonicalBody).digest('base64')
  const signedHeaders = (tags.h ?? '')
    .split(':')
    .map((field) => headers.find(({ name }) => name === field.trim().toLowerCase()))
    .flatMap((header) => (header ? `${header.name}:${header.value}\r\n` : []))
  const ownHeader = `dkim-signature:${signature.replace(/ b=.*$/, ' b=')}`
  const isValid =
    tags.bh === bodyHash &&
    createVerify('sha256')
      .update(signedHeaders.join('') + ownHeader)
      .verify(publicKey, (tags.b ?? '').replace(/\s/g, ''), 'base64')
  return { tags, isValid }
}

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
