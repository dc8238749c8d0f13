import { useParams } from '@tanstack/react-router'
import type { ServersideString } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/conflict.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import { useGo } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { appNameOf, useApps } from './app-options.ts'
import { accessText, SwitchAction, SwitchStamp } from './protected-parts.tsx'
import {
  AREA,
  deleteString,
  readString,
  replaceString,
  stringFields,
  switchString,
} from './strings-parts.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('client_security')
  const read = useRead([AREA, id], (store) => readString(store, Number(id)))
  return (
    <Loaded read={read}>
      {(string) => (
        <Frame
          title={string.name}
          parent={{ to: '/strings', label: protectedTexts.strings }}
          lead={<SwitchStamp of={string} />}
          actions={
            isAllowed ? <Actions of={string} /> : <span className="quiet">{common.notAllowed}</span>
          }
        >
          <div className="split">
            <Section title={protectedTexts.value}>
              <Copy block text={string.value} label={protectedTexts.value} />
            </Section>
            <Details of={string} />
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

function Details({ of }: { of: ServersideString }) {
  const apps = useApps()
  const last = of.last_fetched_at
  return (
    <Section title={common.details}>
      <Facts
        of={[
          [protectedTexts.lastRead, last ? <Time key="read" at={last} ago /> : common.never],
          [protectedTexts.reads, formatNumber(of.fetch_count)],
          [protectedTexts.access, accessText(of)],
          [protectedTexts.app, appNameOf(apps, of.app_id)],
          [protectedTexts.size, formatBytes(of.value_bytes)],
          [protectedTexts.version, of.version],
          [protectedTexts.note, of.description ?? undefined],
          [common.created, <Time key="created" at={of.created_at} />],
          [common.updated, <Time key="updated" at={of.updated_at} />],
        ]}
      />
    </Section>
  )
}

function Actions({ of }: { of: ServersideString }) {
  const go = useGo()
  return (
    <>
      <SwitchAction of={of} name={of.name} request={(status) => switchString(of.id, status)} />
      <EditAction
        label={common.edit}
        title={protectedTexts.editString}
        of={of}
        read={(store) => readString(store, of.id)}
        fields={stringFields}
        request={(changed) => replaceString(of, changed)}
      />
      <Action
        label={common.delete}
        title={protectedTexts.deleteString}
        isDanger
        confirmName={of.name}
        lead={<p>{fill(protectedTexts.deleteStringLead, { n: formatNumber(of.fetch_count) })}</p>}
        submit={protectedTexts.deleteString}
        request={() => ({
          ...deleteString(of.id),
          // Leaving the page first keeps it from requesting a deleted record.
          send: async (store) => {
            const answer = await deleteString(of.id).send(store)
            go('/strings')
            return answer
          },
        })}
      />
    </>
  )
}
