import { useParams } from '@tanstack/react-router'
import { API } from '../../api/call.ts'
import type { ServersideFile } from '../../api/security.ts'
import { useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/conflict.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import { useGo } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, State, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { appNameOf, useApps } from './app-options.ts'
import {
  AREA,
  contentFields,
  deleteFile,
  fileFields,
  readFile,
  replaceContent,
  switchFile,
  updateFile,
} from './files-parts.tsx'
import { accessText, SwitchAction, SwitchStamp } from './protected-parts.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('client_security')
  const read = useRead([AREA, id], (store) => readFile(store, Number(id)))
  return (
    <Loaded read={read}>
      {(file) => (
        <Frame
          title={file.name}
          parent={{ to: '/files', label: protectedTexts.files }}
          lead={<SwitchStamp of={file} />}
          actions={
            isAllowed ? <Actions of={file} /> : <span className="quiet">{common.notAllowed}</span>
          }
        >
          <div className="split">
            <Content of={file} />
            <Details of={file} />
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

function Content({ of }: { of: ServersideFile }) {
  const { id } = useStore()
  const isReady = of.upload_state === 'ready'
  return (
    <Section
      title={protectedTexts.content}
      actions={
        isReady && (
          <a
            href={`${API}/stores/${id}/security/v1/serverside-files/${of.id}/content`}
            download={of.filename}
          >
            {protectedTexts.download}
          </a>
        )
      }
    >
      <Facts
        of={[
          [protectedTexts.filename, of.filename],
          [
            protectedTexts.uploadState,
            isReady ? undefined : <State key="state" state={of.upload_state} />,
          ],
          [protectedTexts.size, formatBytes(of.size_bytes)],
          [protectedTexts.version, of.version],
          [protectedTexts.contentType, of.content_type],
          ['SHA-256', <Copy key="sha" text={of.sha256} label="SHA-256" />],
          [protectedTexts.storage, protectedTexts[of.storage]],
        ]}
      />
    </Section>
  )
}

function Details({ of }: { of: ServersideFile }) {
  const apps = useApps()
  const last = of.last_downloaded_at
  return (
    <Section title={common.details}>
      <Facts
        of={[
          [protectedTexts.lastDownload, last ? <Time key="last" at={last} ago /> : common.never],
          [protectedTexts.downloads, formatNumber(of.download_count)],
          [protectedTexts.access, accessText(of)],
          [protectedTexts.app, appNameOf(apps, of.app_id)],
          [common.created, <Time key="created" at={of.created_at} />],
          [common.updated, <Time key="updated" at={of.updated_at} />],
        ]}
      />
    </Section>
  )
}

function Actions({ of }: { of: ServersideFile }) {
  return (
    <>
      <SwitchAction of={of} name={of.name} request={(status) => switchFile(of.id, status)} />
      <Action
        label={protectedTexts.replace}
        lead={<p>{fill(protectedTexts.replaceLead, { n: of.version + 1 })}</p>}
        fields={contentFields}
        submit={protectedTexts.replace}
        request={(values) => replaceContent(of.id, values)}
      />
      <EditAction
        label={common.edit}
        title={protectedTexts.editFile}
        of={of}
        read={(store) => readFile(store, of.id)}
        fields={fileFields}
        request={(changed) => updateFile(of, changed)}
      />
      <Remove of={of} />
    </>
  )
}

function Remove({ of }: { of: ServersideFile }) {
  const go = useGo()
  const numbers = { n: formatNumber(of.download_count), size: formatBytes(of.size_bytes) }
  return (
    <Action
      label={common.delete}
      title={protectedTexts.deleteFile}
      isDanger
      confirmName={of.name}
      lead={<p>{fill(protectedTexts.deleteFileLead, numbers)}</p>}
      submit={protectedTexts.deleteFile}
      request={() => ({
        ...deleteFile(of.id),
        // Leaving the page first keeps it from requesting a deleted record.
        send: async (store) => {
          const answer = await deleteFile(of.id).send(store)
          go('/files')
          return answer
        },
      })}
    />
  )
}
