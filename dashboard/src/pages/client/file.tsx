import { useParams } from '@tanstack/react-router'
import { securityRequest } from '../../api/action.ts'
import { API } from '../../api/call.ts'
import type { ServersideFile } from '../../api/security.ts'
import { useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, State, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { appNameOf, useApps } from './app-options.ts'
import { FileVersions } from './file-versions.tsx'
import {
  AREA,
  contentFields,
  fileFields,
  readFile,
  replaceContent,
  switchFile,
  updateFile,
} from './files-parts.tsx'
import { accessText, SwitchAction, SwitchStamp } from './protected-parts.tsx'
import { Readers } from './readers.tsx'

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
          lead={<SwitchStamp record={file} />}
          actions={isAllowed ? <Actions file={file} /> : <NotAllowed area="client_security" />}
        >
          <div className="split">
            <Content file={file} />
            <Details file={file} />
          </div>
          <FileVersions file={file} isAllowed={isAllowed} />
          <Readers kind="file" recordId={file.id} />
        </Frame>
      )}
    </Loaded>
  )
}

function Content({ file }: { file: ServersideFile }) {
  const { id: storeId } = useStore()
  const isReady = file.upload_state === 'ready'
  return (
    <Section
      title={protectedTexts.content}
      actions={
        isReady && (
          <a
            href={`${API}/stores/${storeId}/security/v1/serverside-files/${file.id}/content`}
            download={file.filename}
          >
            {protectedTexts.download}
          </a>
        )
      }
    >
      <Facts
        rows={[
          [protectedTexts.filename, file.filename],
          [
            protectedTexts.uploadState,
            isReady ? undefined : <State key="state" state={file.upload_state} />,
          ],
          [protectedTexts.size, formatBytes(file.size_bytes)],
          [protectedTexts.version, file.version],
          [protectedTexts.contentType, file.content_type],
          ['SHA-256', <Copy key="sha" text={file.sha256} label="SHA-256" />],
          [protectedTexts.storage, protectedTexts[file.storage]],
        ]}
      />
    </Section>
  )
}

function Details({ file }: { file: ServersideFile }) {
  const apps = useApps()
  const lastDownload = file.last_downloaded_at
  return (
    <Section title={common.details}>
      <Facts
        rows={[
          [
            protectedTexts.lastDownload,
            lastDownload ? <Time key="last" at={lastDownload} ago /> : common.never,
          ],
          [protectedTexts.downloads, formatNumber(file.download_count)],
          [protectedTexts.access, accessText(file)],
          [protectedTexts.app, appNameOf(apps, file.app_id)],
          [common.created, <Time key="created" at={file.created_at} />],
          [common.updated, <Time key="updated" at={file.updated_at} />],
        ]}
      />
    </Section>
  )
}

function Actions({ file }: { file: ServersideFile }) {
  return (
    <>
      <SwitchAction
        record={file}
        name={file.name}
        request={(status) => switchFile(file.id, status)}
      />
      <Action
        label={protectedTexts.replace}
        lead={<p>{fill(protectedTexts.replaceLead, { n: file.version + 1 })}</p>}
        fields={contentFields}
        submit={protectedTexts.replace}
        request={(values) => replaceContent(file.id, values)}
      />
      <EditAction
        label={common.edit}
        title={protectedTexts.editFile}
        record={file}
        read={(store) => readFile(store, file.id)}
        fields={fileFields}
        request={(changed) => updateFile(file, changed)}
      />
      <Remove file={file} />
    </>
  )
}

function Remove({ file }: { file: ServersideFile }) {
  const openAfter = useOpenAfter()
  const numbers = { n: formatNumber(file.download_count), size: formatBytes(file.size_bytes) }
  return (
    <Action
      label={common.delete}
      title={protectedTexts.deleteFile}
      isDanger
      confirmName={file.name}
      lead={<p>{fill(protectedTexts.deleteFileLead, numbers)}</p>}
      submit={protectedTexts.deleteFile}
      request={() => openAfter(securityRequest(AREA, 'delete', file.id), '/files')}
    />
  )
}
