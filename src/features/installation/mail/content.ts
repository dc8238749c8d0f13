import { type MailBody, renderHtml, renderText, type StopLink } from '../mail-texts/index.ts'

/** The sealed content of a mail. It is rendered when it is read, so a link to unsubscribe can be added for each reader. */
export interface MailContent extends MailBody {
  /** The path at which readers unsubscribe, before their token, and the sentence about it. */
  stop?: { path: string; text: string }
}

/** The content of mail of an older version. */
interface FormerContent {
  text: string
  subject?: string
  stop?: MailContent['stop']
}

/** The sentences of one mail, as HTML and as plain text. */
export interface RenderedMail {
  html: string
  text: string
}

/** Returns the subject of mail of an older version, which is in its content. */
export const formerSubject = (json: string): string =>
  (JSON.parse(json) as Partial<FormerContent>).subject ?? ''

/** Reads a sealed content. */
export function readContent(json: string): MailContent {
  const content = JSON.parse(json) as MailContent | FormerContent
  if ('blocks' in content) return content
  const { text, stop } = content
  const lines = text.split('\n').map((line) => [{ text: line }])
  const blocks = [{ kind: 'lines', lines }] as const
  return { language: 'en', store_name: '', blocks, ...(stop && { stop }) }
}

/** Renders a mail. Without a link to unsubscribe it is complete except for that link. */
export const renderMail = (subject: string, body: MailBody, stop?: StopLink): RenderedMail => ({
  html: renderHtml(subject, body, stop),
  text: renderText(body, stop),
})
