import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import { type MailTemplate, TradepostError, useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useDraft } from '../../kit/draft.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Section } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { toast } from '../../kit/toast.tsx'
import { fill, LANGUAGE_NAMES } from '../../text/catalogue.ts'
import { mail } from '../../text/mail.ts'
import { mailKinds } from '../../text/mail-kinds.ts'
import { navigation } from '../../text/navigation.ts'
import { draftNameOf, MailEditor } from './mail-editor.tsx'
import { Origin } from './mail-frame.tsx'
import { MAIL_LANGUAGES, readTemplates, whenText } from './mail-parts.ts'
import { MailPreview } from './mail-preview.tsx'

/** The text of a kind of mail in a language. */
export function Page() {
  const { template = '', language = '' } = useParams({ strict: false }) as Record<string, string>
  const isAllowed = useMayWrite('account')
  const read = useRead(['account', 'mail template', template, language], async (store) => {
    const texts = await readTemplates(store)
    const text = texts.find((item) => item.template === template && item.language === language)
    if (!text) {
      const refusal = {
        operation: 'account.listMailTemplates',
        status: 404,
        code: 'NOT_FOUND',
      } as const
      throw new TradepostError({ ...refusal, message: mail.missing })
    }
    return text
  })
  return (
    <Loaded read={read}>
      {(text) => (
        <Frame
          title={mailKinds[text.template]}
          parent={{ to: '/settings/mail', label: navigation.outbox }}
          lead={whenText(text.template)}
          actions={isAllowed ? <MailActions text={text} /> : <NotAllowed area="account" />}
        >
          <Tabs
            label={mail.languages}
            tabs={MAIL_LANGUAGES.map((tab) => ({
              to: `/settings/mail/${text.template}/${tab}`,
              label: LANGUAGE_NAMES[tab],
            }))}
          />
          {isAllowed ? (
            <MailEditor key={`${template} ${language}`} text={text} />
          ) : (
            <ReadOnly text={text} />
          )}
        </Frame>
      )}
    </Loaded>
  )
}

const ReadOnly = ({ text }: { text: MailTemplate }) => (
  <div className="halves">
    <Section title={mail.text} actions={<Origin text={text} />}>
      <p>
        <strong>{text.subject}</strong>
      </p>
      <p className="message-text">{text.body_text}</p>
    </Section>
    <MailPreview text={text} draft={{}} />
  </div>
)

function MailActions({ text }: { text: MailTemplate }) {
  const { template, language, subject, body_text, custom } = text
  const { livemode, me } = useStore()
  const { draft, save } = useDraft(draftNameOf(text))
  const languageName = LANGUAGE_NAMES[language]
  return (
    <>
      <Action
        label={mail.test}
        lead={
          <>
            <p>{fill(mail.testLead, { language: languageName })}</p>
            {draft && <p>{mail.testUnsaved}</p>}
            {!livemode && <p>{mail.testKept}</p>}
          </>
        }
        fields={[
          { name: 'to', label: mail.testTo, type: 'email', required: true, value: me.user.email },
        ]}
        submit={mail.test}
        request={({ to }) =>
          storeRequest('account', 'testMailTemplate', template, language, { to: String(to) })
        }
        onDone={(_, { to }) =>
          toast(fill(livemode ? mail.testSent : mail.testKept, { to: String(to) }))
        }
      />
      {custom && (
        <Action
          label={mail.restore}
          isDanger
          lead={
            <>
              <p>{fill(mail.restoreLead, { language: languageName })}</p>
              {draft && <p>{mail.restoreUnsaved}</p>}
            </>
          }
          submit={mail.restore}
          request={() => storeRequest('account', 'restoreMailTemplate', template, language)}
          onDone={() => save(undefined)}
          undo={() => ({
            text: mail.restored,
            request: storeRequest('account', 'replaceMailTemplate', template, language, {
              subject,
              body_text,
            }),
          })}
        />
      )}
    </>
  )
}
