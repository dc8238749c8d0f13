import { storeRequest } from '../../api/action.ts'
import {
  type MailTemplate,
  type Settings,
  type StoreContext,
  useRead,
  useStore,
} from '../../api/store.ts'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { Link } from '../../kit/link.tsx'
import { Facts, Section, State } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { LANGUAGE_NAMES, language } from '../../text/catalogue.ts'
import { mail } from '../../text/mail.ts'
import { mailKinds } from '../../text/mail-kinds.ts'
import { MailFrame } from './mail-frame.tsx'
import { MAIL_LANGUAGES, useTemplates, whenText } from './mail-parts.ts'

export function Page() {
  const isAllowed = useMayWrite('account')
  const settings = useRead(['account', 'settings'], readSettings)
  return (
    <MailFrame actions={!isAllowed && <NotAllowed area="account" />}>
      <Loaded read={settings} rows={3}>
        {(loaded) => <Sender settings={loaded} isAllowed={isAllowed} />}
      </Loaded>
      <Templates />
    </MailFrame>
  )
}

const readSettings = async ({ api }: StoreContext): Promise<Settings> =>
  (await api.account.getSettings()).settings

function Sender({ settings, isAllowed }: { settings: Settings; isAllowed: boolean }) {
  const { name } = useStore()
  const { mail_from_name, mail_api_orders } = settings
  return (
    <Section
      title={mail.sender}
      actions={
        isAllowed && (
          <EditAction
            label={mail.change}
            record={settings}
            recordName="mail settings"
            read={readSettings}
            fields={senderFields}
            request={(changed) => storeRequest('account', 'updateSettings', clearedAsNull(changed))}
          />
        )
      }
    >
      <Facts
        rows={[
          [mail.fromName, mail_from_name ?? name],
          [mail.language, LANGUAGE_NAMES[settings.language]],
          [mail.apiOrdersFact, mail_api_orders ? mail.apiOrdersOn : mail.apiOrdersOff],
        ]}
      />
    </Section>
  )
}

const senderFields = (settings: Settings): readonly Field[] => [
  {
    name: 'mail_from_name',
    label: mail.fromName,
    help: mail.fromNameHelp,
    value: settings.mail_from_name,
  },
  {
    name: 'language',
    label: mail.language,
    help: mail.languageHelp,
    type: 'select',
    required: true,
    options: MAIL_LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
    value: settings.language,
  },
  {
    name: 'mail_api_orders',
    label: mail.apiOrders,
    help: mail.apiOrdersHelp,
    type: 'checkbox',
    value: settings.mail_api_orders,
  },
]

/** The texts of a kind of mail in all languages. */
interface Kind {
  template: MailTemplate['template']
  texts: readonly MailTemplate[]
}

const kindsOf = (texts: readonly MailTemplate[]): readonly Kind[] =>
  [...new Set(texts.map(({ template }) => template))].map((template) => ({
    template,
    texts: texts.filter((text) => text.template === template),
  }))

const Templates = () => (
  <Section title={mail.list}>
    <p className="secondary-text">{mail.listLead}</p>
    <Loaded read={useTemplates()}>
      {(texts) => (
        <Table
          label={mail.list}
          rows={kindsOf(texts)}
          keyOf={({ template }) => template}
          hrefOf={({ template }) => `/settings/mail/${template}/${language}`}
          columns={[
            { label: mail.kind, show: ({ template }) => mailKinds[template] },
            { label: mail.when, show: ({ template }) => whenText(template) },
            { label: mail.languages, show: (kind) => <Languages kind={kind} /> },
          ]}
        />
      )}
    </Loaded>
  </Section>
)

const Languages = ({ kind: { template, texts } }: { kind: Kind }) => (
  <ul className="languages">
    {texts.map(({ language: textLanguage, custom }) => (
      <li key={textLanguage}>
        <Link
          to={`/settings/mail/${template}/${textLanguage}`}
          aria-label={`${mailKinds[template]}, ${LANGUAGE_NAMES[textLanguage]}`}
        >
          {LANGUAGE_NAMES[textLanguage]}
        </Link>{' '}
        {custom && <State state="custom">{mail.changedByYou}</State>}
      </li>
    ))}
  </ul>
)
