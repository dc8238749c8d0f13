/** Seconds to wait after the first, second … failure. Six waits: seven attempts in about 9 hours. */
const WAITS_S = [60, 5 * 60, 15 * 60, 30 * 60, 2 * 3_600, 6 * 3_600] as const

/** The seconds to wait after this many attempts; undefined if there is no further attempt. */
export const waitAfter = (attempts: number): number | undefined => WAITS_S[attempts - 1]

/** The refusal of a mail server, as nodemailer reports it. */
export interface MailFailure {
  responseCode?: number
  /** The command that it answered. */
  command?: string
  /** nodemailer's own name of the failure. */
  code?: string
}

/**
 * A refusal that will not change: this recipient, or this letter, is bad (RFC 5321, 4.2.1). A fault
 * of our own, such as a wrong password, is for the operator to repair, and no mail is lost
 * meanwhile.
 */
export const isFinal = ({ responseCode = 0, command = '' }: MailFailure): boolean =>
  responseCode >= 500 && /^(RCPT TO|DATA)/.test(command)

/** The failure text in the mail's record; for a TLS failure it names the remedy. */
export const reasonOf = ({ code, message }: MailFailure & { message: string }): string =>
  code === 'ETLS'
    ? `The mail server did not agree to TLS (${message}). Use smtps://, or allow plain text with ?tls=off.`
    : message
