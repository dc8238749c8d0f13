import { type MailTemplate, TradepostError, useRead } from '../../api/store.ts'
import { useDebounced } from '../../kit/debounced.ts'
import type { FormValues } from '../../kit/fields.tsx'
import { HtmlFrame } from '../../kit/html-frame.tsx'
import { Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { mail } from '../../text/mail.ts'

const PAUSE_MS = 400

/** The mail with sample values, as HTML and as plain text. Typed values replace those of the text. */
export function MailPreview({ text, draft }: { text: MailTemplate; draft: FormValues }) {
  const { template, language } = text
  const { subject, body_text } = { ...text, ...draft }
  const shown = useDebounced(JSON.stringify([subject ?? '', body_text ?? '']), PAUSE_MS)
  const read = useRead(
    ['account', 'mail preview', template, language, shown],
    async (store) => {
      const [subject, body_text] = JSON.parse(shown) as [string, string]
      // A preview that gets no answer is not stored, because it changes nothing.
      const { account } = store.forEdit().api
      try {
        return await account.previewMailTemplate(template, language, { subject, body_text })
      } catch (error) {
        if (error instanceof TradepostError && error.status === 422) return error.message
        throw error
      }
    },
    { keepPrevious: true },
  )
  return (
    <Section title={mail.preview}>
      <p className="secondary-text">{mail.previewLead}</p>
      <Loaded read={read}>
        {(preview) =>
          typeof preview === 'string' ? (
            <p>
              {mail.noPreview} {preview.replace(/^\w+: /, '')}
            </p>
          ) : (
            <>
              <p>
                <strong>{preview.subject}</strong>
              </p>
              <HtmlFrame html={preview.html} title={preview.subject} />
              <details>
                <summary>{mail.plainText}</summary>
                <pre className="message-text">{preview.text}</pre>
              </details>
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
