import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { sendAlertsJob } from '../src/features/store/stock/index.ts'
import type { CreatedProduct } from './build.ts'
import { type FakeSmtp, startFakeSmtp } from './fake-smtp.ts'
import {
  type CallOptions,
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from './harness.ts'

interface MailRow {
  recipient: string
  status: string
  attempts: number
  error: string | null
}

/** A store with a mail server for the tests of stock alerts of a file. */
interface AlertStore {
  readonly tradepost: Tradepost
  readonly smtp: FakeSmtp
  /** The path of the alerts of a product. */
  pathOf(game: CreatedProduct): string
  signUp(game: CreatedProduct, email: string, fields?: Json, options?: CallOptions): Promise<Json>
  listAlerts(game: CreatedProduct, query?: string): Promise<Json[]>
  /** Runs the job until no product is due. */
  runAlerts(): Promise<void>
  /** Runs the job, and returns the mails to the addresses of a product. */
  runAndReadMails(game: CreatedProduct): Promise<MailRow[]>
}

export function alertStore(): AlertStore {
  let tradepost: Tradepost
  let smtp: FakeSmtp

  beforeAll(async () => {
    smtp = await startFakeSmtp()
    tradepost = await openTradepost({ env: { TRADEPOST_SMTP_URL: smtp.url } })
  })
  afterAll(async () => {
    await tradepost.close()
    await smtp.close()
  })
  beforeEach(() => {
    smtp.letters.length = 0
  })
  afterEach(async () => {
    await sql`update mail set status = 'kept' where status = 'queued'`.execute(tradepost.db)
  })

  const pathOf = ({ id }: CreatedProduct) => `/products/${id}/stock-alerts`
  const listAlerts = async (game: CreatedProduct, query = ''): Promise<Json[]> =>
    (await tradepost.get(`${pathOf(game)}${query}`)).json.stock_alerts
  async function runAlerts(): Promise<void> {
    while (await sendAlertsJob.run(tradepost.app));
  }

  return {
    get tradepost() {
      return tradepost
    },
    get smtp() {
      return smtp
    },
    pathOf,
    async signUp(game, email, fields = {}, options = {}) {
      const call = tradepost.post(pathOf(game), { email, ...fields }, options)
      return (await expectSuccess(call)).stock_alert
    },
    listAlerts,
    runAlerts,
    async runAndReadMails(game) {
      await runAlerts()
      const emails = (await listAlerts(game)).map((item) => item.email)
      const { rows } = await sql<MailRow>`
        select recipient, status, attempts, error from mail
         where recipient = any(${emails}::text[]) order by recipient`.execute(tradepost.db)
      return rows
    },
  }
}
