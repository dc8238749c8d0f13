import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { alertStore } from '../../../../test/alert-store.ts'
import { addKeys, type CreatedProduct, product } from '../../../../test/build.ts'
import { mailsTo } from '../../../../test/mails.ts'
import { sendMailJob } from '../../installation/mail/index.ts'

const alerts = alertStore()
const { pathOf, signUp, listAlerts, runAlerts, runAndReadMails } = alerts

describe('the mail of an alert', () => {
  async function queueMail(email: string): Promise<CreatedProduct> {
    const game = await product(alerts.tradepost)
    await signUp(game, email)
    await addKeys(alerts.tradepost, game, [`MAIL-${email}`])
    await runAlerts()
    return game
  }

  test('is retried after a temporary refusal, and bounced after a permanent one', async () => {
    alerts.smtp.refusals.push('451 Later.')
    const retriedGame = await queueMail('later@example.com')
    await sendMailJob.run(alerts.tradepost.app)
    expect(await runAndReadMails(retriedGame)).toMatchObject([{ status: 'queued', attempts: 1 }])
    await sendMailJob.run(alerts.tradepost.app)
    expect(alerts.smtp.letters).toEqual([])
    await sql`update mail set due_at = now() where status = 'queued'`.execute(alerts.tradepost.db)
    await sendMailJob.run(alerts.tradepost.app)
    expect(await runAndReadMails(retriedGame)).toMatchObject([
      { status: 'sent', attempts: 2, error: null },
    ])
    alerts.smtp.refusals.push('550 Nobody here.')
    const refusedGame = await queueMail('never@example.com')
    await sendMailJob.run(alerts.tradepost.app)
    expect(await runAndReadMails(refusedGame)).toMatchObject([{ status: 'bounced', attempts: 1 }])
    expect((await runAndReadMails(refusedGame))[0]?.error).toContain('550')
  })

  test('is sent once by two concurrent senders', async () => {
    await queueMail('once@example.com')
    await Promise.all([
      sendMailJob.run(alerts.tradepost.app),
      sendMailJob.run(alerts.tradepost.app),
    ])
    expect(alerts.smtp.letters.map((letter) => letter.to)).toEqual([['once@example.com']])
  })

  test('of a test side, or without a mail server, is stored and not sent', async () => {
    const as = alerts.tradepost.test
    const game = await product(alerts.tradepost, {}, { as })
    await signUp(game, 'side@example.com', {}, { as })
    await addKeys(alerts.tradepost, game, ['MAIL-TEST-0001'], { as })
    await runAlerts()
    const { app } = alerts.tradepost
    const appWithoutSmtp = { ...app, config: { ...app.config, smtp: undefined } }
    const liveGame = await queueMail('nosmtp@example.com')
    await sql`delete from mail_sender`.execute(alerts.tradepost.db)
    await sendMailJob.run(appWithoutSmtp)
    await sendMailJob.run(alerts.tradepost.app)
    expect(alerts.smtp.letters).toEqual([])
    expect(await runAndReadMails(liveGame)).toMatchObject([{ status: 'kept' }])
    expect(await mailsTo(alerts.tradepost, 'side@example.com')).toMatchObject([{ status: 'kept' }])
  })

  test('is encrypted in the database', async () => {
    await queueMail('sealed@example.com')
    const { rows } = await sql<{ content: Buffer }>`
      select content_enc as content from mail where recipient = 'sealed@example.com'`.execute(
      alerts.tradepost.db,
    )
    expect(rows[0]?.content.toString('latin1')).not.toContain('in stock')
  })
})

describe('the unsubscribe address in a mail', () => {
  const callUnsubscribe = async (url: string, method: 'GET' | 'POST') =>
    alerts.tradepost.server.inject({
      method,
      url: new URL(url).pathname,
      ...(method === 'POST' && {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      }),
    })
  const unsubscribeAddress = ({ data }: { data: string }) =>
    /^List-Unsubscribe: <(\S+)>$/m.exec(data.replace(/\n[ \t]+/g, ' '))?.[1] ?? ''

  test('unsubscribes the recipient from all alerts of the store by a POST, and affects no other address or store', async () => {
    const [restockedProduct, soldOutProduct] = [
      await product(alerts.tradepost),
      await product(alerts.tradepost),
    ]
    for (const game of [restockedProduct, soldOutProduct]) await signUp(game, 'stop@example.com')
    await signUp(soldOutProduct, 'stay@example.com')
    const foreignProduct = await product(alerts.tradepost, {}, { as: alerts.tradepost.other })
    await signUp(foreignProduct, 'stop@example.com', {}, { as: alerts.tradepost.other })
    await addKeys(alerts.tradepost, restockedProduct, ['ALERT-STOP-0001'])
    await runAlerts()
    await sendMailJob.run(alerts.tradepost.app)
    const [letter = { data: '' }] = alerts.smtp.letters
    expect(letter.data).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    const url = unsubscribeAddress(letter)
    expect(letter.data.replace(/=\n/g, '').replaceAll('=3D', '=')).toContain(`\n${url}\n`)

    const listStates = async () =>
      (await listAlerts(soldOutProduct)).map(({ email, status }) => [email, status]).sort()
    const confirmationPage = await callUnsubscribe(url, 'GET')
    expect(confirmationPage.headers['content-security-policy']).toContain("default-src 'none'")
    expect(confirmationPage.body).toContain('<form method="post">')
    const otherState = ['stay@example.com', 'pending']
    expect(await listStates()).toEqual([otherState, ['stop@example.com', 'pending']])
    for (const _ of [1, 2]) expect((await callUnsubscribe(url, 'POST')).statusCode).toBe(200)
    expect(await listStates()).toEqual([otherState, ['stop@example.com', 'unsubscribed']])
    const { json } = await alerts.tradepost.get(pathOf(foreignProduct), {
      as: alerts.tradepost.other,
    })
    expect(json.stock_alerts).toMatchObject([{ status: 'pending' }])
    expect(await listAlerts(restockedProduct)).toMatchObject([{ status: 'notified' }])
    expect((await signUp(soldOutProduct, 'stop@example.com')).status).toBe('pending')
  })

  test.each(['1-1', `1-1.${'A'.repeat(43)}`, 'x'])(
    'with the token %s answers 404',
    async (token) => {
      const { statusCode } = await callUnsubscribe(
        `http://here.test/stock-alerts/stop/${token}`,
        'POST',
      )
      expect(statusCode).toBe(404)
    },
  )
})
