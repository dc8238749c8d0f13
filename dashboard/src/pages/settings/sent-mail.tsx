import { useState } from 'react'
import type { OutboxMessage } from '../../api/store.ts'
import { formatNumber } from '../../kit/format.ts'
import { HtmlFrame } from '../../kit/html-frame.tsx'
import { Modal } from '../../kit/modal.tsx'
import { State, Time, type Tone } from '../../kit/show.tsx'
import { mail } from '../../text/mail.ts'
import { mailKinds } from '../../text/mail-kinds.ts'
import { records } from '../../text/records.ts'

type Status = OutboxMessage['status']

const STATES: Record<Status, readonly [Tone, string]> = {
  queued: ['waiting', mail.queued],
  sent: ['paid', mail.mailed],
  failed: ['failed', mail.failed],
  bounced: ['failed', mail.bounced],
  kept: ['closed', mail.kept],
}
export const STATUSES = Object.keys(STATES) as Status[]
export const statusText = (status: Status): string => STATES[status][1]

export const mailKindText = ({ template }: OutboxMessage): string =>
  template === null ? '–' : mailKinds[template]

/** The state of a mail. If sending failed, the number of attempts, the time and the answer of the mail server follow. */
export function MailState({ message }: { message: OutboxMessage }) {
  const { status, attempts, error, bounced_at } = message
  return (
    <>
      <State state={status} tone={STATES[status][0]}>
        {statusText(status)}
      </State>{' '}
      {bounced_at !== null && <Time at={bounced_at} />}
      {error !== null && (
        <p className="secondary-text">
          {mail.serverAnswer}: {error}
          {attempts > 1 && ` (${mail.attempts}: ${formatNumber(attempts)})`}
        </p>
      )}
    </>
  )
}

/** A button that shows a mail as its reader sees it, where the API shows it: on test sides. */
export function ShowMail({ message: { subject, html, text } }: { message: OutboxMessage }) {
  const [isOpen, setOpen] = useState(false)
  if (text === null) return <span className="secondary-text">–</span>
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {mail.show}
      </button>
      <Modal title={subject ?? records.text} isOpen={isOpen} onClose={() => setOpen(false)} isWide>
        {html !== null && <HtmlFrame html={html} title={subject ?? records.text} />}
        <details open={html === null}>
          <summary>{mail.plainText}</summary>
          <pre className="message-text">{text}</pre>
        </details>
      </Modal>
    </>
  )
}
