import { securityRequest } from '../../api/action.ts'
import type { RemoteSetting, RemoteSettingVersion } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import type { Column } from '../../kit/list.tsx'
import { Loaded } from '../../kit/states.tsx'
import { protectedTexts } from '../../text/protected.ts'
import { AREA, shortValueText } from './settings-parts.tsx'
import { Difference } from './version-comparison.tsx'
import { authorOf, SAVED_COLUMNS, VersionList } from './version-list.tsx'

const VERSIONS_MAX = 100

/** The newest versions of a setting, newest first. */
export const useVersions = (id: number) =>
  useRead([AREA, String(id), 'versions'], ({ security }) =>
    security.remoteSettings.listVersions(id, { limit: VERSIONS_MAX }),
  )

const VALUE: Column<RemoteSettingVersion> = {
  label: protectedTexts.value,
  show: (version) => <code>{shortValueText(version)}</code>,
}

const SAVED_BY: Column<RemoteSettingVersion> = {
  label: protectedTexts.savedBy,
  show: authorOf,
}

export function Versions({ setting, isAllowed }: { setting: RemoteSetting; isAllowed: boolean }) {
  const read = useVersions(setting.id)
  return (
    <Loaded read={read} rows={3}>
      {({ versions }) => (
        <VersionList
          current={setting}
          versions={versions}
          compare={(from, to) => <Difference from={contentOf(from)} to={contentOf(to)} />}
          columns={[VALUE, ...SAVED_COLUMNS, SAVED_BY]}
          rollBack={
            isAllowed
              ? ({ version }) => securityRequest(AREA, 'rollBack', setting.id, { version })
              : undefined
          }
        />
      )}
    </Loaded>
  )
}

/** The fields of a version that do not belong to its content. */
const OTHER_FIELDS = ['object', 'version', 'created_at', 'actor_key_id', 'actor_name']

function contentOf(version: RemoteSettingVersion): string {
  const content = Object.entries(version).filter(([name]) => !OTHER_FIELDS.includes(name))
  return JSON.stringify(Object.fromEntries(content), null, 2)
}
