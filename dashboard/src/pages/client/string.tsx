import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { securityRequest } from '../../api/action.ts'
import type { ServersideString } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Section, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { appNameOf, useApps } from './app-options.ts'
import { accessText, ProtectedValue, SwitchAction, SwitchStamp } from './protected-parts.tsx'
import { Readers } from './readers.tsx'
import { StringVersions } from './string-versions.tsx'
import {
  AREA,
  readString,
  replaceString,
  revealString,
  stringFields,
  switchString,
} from './strings-parts.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('client_security')
  const [isShown, setShown] = useState(false)
  const read = useRead([AREA, id], (store) => readString(store, Number(id)))
  return (
    <Loaded read={read}>
      {(string) => (
        <Frame
          title={string.name}
          parent={{ to: '/strings', label: protectedTexts.strings }}
          lead={<SwitchStamp record={string} />}
          actions={isAllowed ? <Actions string={string} /> : <NotAllowed area="client_security" />}
        >
          <div className="split">
            <ProtectedValue
              {...{ isShown, setShown }}
              queryKey={[AREA, id]}
              reveal={async (store) => (await revealString(store, string.id)).value}
            />
            <Details string={string} />
          </div>
          <StringVersions string={string} isAllowed={isAllowed} isShown={isShown} />
          <Readers kind="string" recordId={string.id} />
        </Frame>
      )}
    </Loaded>
  )
}

function Details({ string }: { string: ServersideString }) {
  const apps = useApps()
  const last = string.last_fetched_at
  return (
    <Section title={common.details}>
      <Facts
        rows={[
          [protectedTexts.lastRead, last ? <Time key="read" at={last} ago /> : common.never],
          [protectedTexts.reads, formatNumber(string.fetch_count)],
          [protectedTexts.access, accessText(string)],
          [protectedTexts.app, appNameOf(apps, string.app_id)],
          [protectedTexts.size, formatBytes(string.value_bytes)],
          [protectedTexts.version, string.version],
          [protectedTexts.note, string.description ?? undefined],
          [common.created, <Time key="created" at={string.created_at} />],
          [common.updated, <Time key="updated" at={string.updated_at} />],
        ]}
      />
    </Section>
  )
}

function Actions({ string }: { string: ServersideString }) {
  const openAfter = useOpenAfter()
  return (
    <>
      <SwitchAction
        record={string}
        name={string.name}
        request={(status) => switchString(string.id, status)}
      />
      <EditAction
        label={common.edit}
        title={protectedTexts.editString}
        record={string}
        readOpened={(store) => revealString(store, string.id)}
        read={(store) => revealString(store, string.id)}
        fields={stringFields}
        request={(changed) => replaceString(string, changed)}
      />
      <Action
        label={common.delete}
        title={protectedTexts.deleteString}
        isDanger
        confirmName={string.name}
        lead={
          <p>{fill(protectedTexts.deleteStringLead, { n: formatNumber(string.fetch_count) })}</p>
        }
        submit={protectedTexts.deleteString}
        request={() => openAfter(securityRequest(AREA, 'delete', string.id), '/strings')}
      />
    </>
  )
}
