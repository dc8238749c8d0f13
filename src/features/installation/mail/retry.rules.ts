/** The seconds to wait after each failure. Six waits make seven attempts in about 9 hours. */
const WAITS_S = [60, 5 * 60, 15 * 60, 30 * 60, 2 * 3_600, 6 * 3_600] as const

/** Returns the seconds to wait after this many attempts, or undefined if there is no further attempt. */
export const waitAfter = (attempts: number): number | undefined => WAITS_S[attempts - 1]

/** The refusal of a mail server, as nodemailer reports it. */
export interface MailFailure {
  responseCode?: number
  /** The SMTP command that the server refused. */
  command?: string
  /** nodemailer's code of the failure. */
  code?: string
}

/**
 * Returns true if the server permanently refuses this recipient or this mail (RFC 5321, 4.2.1). Other
 * refusals, such as for a wrong password, are retried until the operator repairs the setup.
 */
export const isFinal = ({ responseCode = 0, command = '' }: MailFailure): boolean =>
  responseCode >= 500 && /^(RCPT TO|DATA)/.test(command)

/** Returns the failure text for the mail's record. For a TLS failure it names the remedy. */
export const reasonOf = ({ code, message }: MailFailure & { message: string }): string =>
  code === 'ETLS'
    ? `The mail server does not support TLS (${message}). Use smtps://, or allow plain text with ?tls=off.`
    : message
