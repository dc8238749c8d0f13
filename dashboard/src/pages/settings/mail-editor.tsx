import { useRef, useState } from 'react'
import { storeRequest } from '../../api/action.ts'
import { type MailTemplate, type StoreContext, useStore } from '../../api/store.ts'
import { Autosave, type Draft, useDraft } from '../../kit/draft.ts'
import { EditForm, initialValues } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { isSame } from '../../kit/is-same.ts'
import { restoreEdit } from '../../kit/persisted-edits.ts'
import { Section } from '../../kit/show.tsx'
import { toast } from '../../kit/toast.tsx'
import { mail } from '../../text/mail.ts'
import { Origin } from './mail-frame.tsx'
import { placeholdersOf, readTemplates, subjectPlaceholdersOf } from './mail-parts.ts'
import { MailPreview } from './mail-preview.tsx'
import { TextWithPlaceholders } from './text-with-placeholders.tsx'

type TextKey = Pick<MailTemplate, 'template' | 'language'>

/** The name under which the browser stores the unsaved changes of a text. */
export const draftNameOf = ({ template, language }: TextKey): string =>
  `mail-${template}-${language}`

const fieldsOf = (text: MailTemplate): readonly Field[] => [
  {
    name: 'subject',
    label: mail.subject,
    value: text.subject,
    control: (props) => (
      <TextWithPlaceholders
        {...props}
        field={{ name: 'subject', label: mail.subject }}
        template={text.template}
        names={subjectPlaceholdersOf(text.template)}
      />
    ),
  },
  {
    name: 'body_text',
    label: mail.text,
    // Line breaks at the ends are kept.
    type: 'textarea',
    help: mail.textHelp,
    value: text.body_text,
    control: (props) => (
      <TextWithPlaceholders
        {...props}
        field={{ name: 'body_text', label: mail.text, rows: 16 }}
        template={text.template}
        names={placeholdersOf(text.template)}
      />
    ),
  },
]

const readText =
  ({ template, language }: TextKey) =>
  async (store: StoreContext): Promise<MailTemplate> => {
    const texts = await readTemplates(store)
    return texts.find(
      (item) => item.template === template && item.language === language,
    ) as MailTemplate
  }

/** The text with the fields that were changed, whatever another user has saved in the others meanwhile. */
function saveRequest(text: MailTemplate, changed: FormValues) {
  const { template, language } = text
  // A cleared field is sent, so that it is refused next to it.
  const changedTexts = Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [name, String(value ?? '')]),
  )
  const bodyOf = ({ subject, body_text }: MailTemplate) => ({ subject, body_text, ...changedTexts })
  const request = storeRequest('account', 'replaceMailTemplate', template, language, bodyOf(text))
  return {
    ...request,
    send: async (store: StoreContext) => {
      const body = bodyOf(await readText(text)(store))
      return store.api.account.replaceMailTemplate(template, language, body)
    },
  }
}

/** The record as it was when the draft was begun, so that later changes of others are seen. */
const withBase = (text: MailTemplate, draft: Draft | undefined): MailTemplate => ({
  ...text,
  ...(draft?.base as Partial<MailTemplate> | undefined),
})

/**
 * The form of a text, with its preview. What is typed is a draft until it is saved. Without a draft the form begins
 * anew when the record changes.
 */
export function MailEditor({ text }: { text: MailTemplate }) {
  const { me } = useStore()
  const { draft, save } = useDraft(draftNameOf(text))
  const [form, setForm] = useState(() => ({ opened: withBase(text, draft), count: 0 }))
  const [seen, setSeen] = useState(text)
  const editKey = {
    path: location.pathname,
    title: mail.text,
    recordName: text.object,
    user: me.user.id,
  }
  const [restoredEdit] = useState(() => restoreEdit(editKey))
  const container = useRef<HTMLDivElement>(null)
  const begin = (opened: MailTemplate) => setForm(({ count }) => ({ opened, count: count + 1 }))
  if (seen !== text) {
    setSeen(text)
    if (!draft && !isSame(initialOf(form.opened), initialOf(text))) begin(text)
  }
  const discard = () => {
    save(undefined)
    begin(text)
    // The pressed button is gone.
    setTimeout(() => container.current?.querySelector('input')?.focus())
  }
  const finish = (answer: unknown) => {
    // Without a change, nothing was sent.
    if (answer === undefined) return discard()
    save(undefined)
    // The form has the saved text already, and keeps the focus.
    setForm({ ...form, opened: (answer as { mail_template: MailTemplate }).mail_template })
    toast(mail.saved)
  }
  return (
    <div className="halves">
      <div ref={container}>
        <Section title={mail.text} actions={<Origin text={text} />}>
          <EditForm
            key={form.count}
            opened={form.opened}
            {...(form.count === 0 && restoredEdit && { restoredEdit })}
            draft={(form.count === 0 ? restoredEdit?.values : undefined) ?? draft?.values}
            editKey={editKey}
            read={readText(text)}
            fields={fieldsOf}
            request={(changed, opened) => saveRequest(opened, changed)}
            cancelLabel={draft ? mail.discard : undefined}
            onSaved={finish}
            onCancel={discard}
          >
            {(values, before) => (
              <>
                <Autosave {...{ values, before, save }} />
                {draft && <p role="status">{mail.unsaved}</p>}
              </>
            )}
          </EditForm>
        </Section>
      </div>
      <MailPreview text={text} draft={draft?.values ?? {}} />
    </div>
  )
}

const initialOf = (text: MailTemplate): FormValues => initialValues(fieldsOf(text))
