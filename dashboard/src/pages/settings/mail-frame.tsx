import type { ReactNode } from 'react'
import type { MailTemplate } from '../../api/store.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { State } from '../../kit/show.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { mail } from '../../text/mail.ts'
import { navigation } from '../../text/navigation.ts'

/** A tab about mail: the texts, or the mail that was sent. */
export const MailFrame = (props: { actions: ReactNode; children: ReactNode }) => (
  <Frame title={navigation.outbox} actions={props.actions}>
    <Tabs
      label={navigation.outbox}
      tabs={[
        { to: '/settings/mail', label: mail.texts },
        { to: '/settings/outbox', label: mail.sent },
      ]}
    />
    {props.children}
  </Frame>
)

/** Tells whether the text is that of the store. */
export const Origin = ({ text: { custom } }: { text: MailTemplate }) => (
  <State state="custom">{custom ? mail.changedByYou : mail.original}</State>
)
