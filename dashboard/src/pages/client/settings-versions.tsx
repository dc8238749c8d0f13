import { securityRequest } from '../../api/action.ts'
import type { RemoteSetting, RemoteSettingVersion } from '../../api/security.ts'
import { type StoreContext, useRead } from '../../api/store.ts'
import type { Column } from '../../kit/list.tsx'
import { Loaded } from '../../kit/states.tsx'
import { protectedTexts } from '../../text/protected.ts'
import { readRevealed } from './protected-parts.tsx'
import { AREA, shortValueText } from './settings-parts.tsx'
import { Difference } from './version-comparison.tsx'
import { authorOf, SAVED_COLUMNS, VersionList } from './version-list.tsx'

const VERSIONS_MAX = 100

type VersionPage = Awaited<ReturnType<StoreContext['security']['remoteSettings']['listVersions']>>

/** The newest versions of a setting, newest first. */
export const useVersions = (id: number, isShown: boolean) =>
  useRead(
    [AREA, String(id), 'versions', isShown],
    (store) =>
      isShown
        ? readRevealed<VersionPage>(store, `/remote-settings/${id}/versions`, {
            limit: VERSIONS_MAX,
          })
        : store.security.remoteSettings.listVersions(id, { limit: VERSIONS_MAX }),
    { keepPrevious: true },
  )

const VALUE: Column<RemoteSettingVersion> = {
  label: protectedTexts.value,
  show: (version) => <code>{shortValueText(version)}</code>,
}

const SAVED_BY: Column<RemoteSettingVersion> = {
  label: protectedTexts.savedBy,
  show: authorOf,
}

interface VersionsProps {
  setting: RemoteSetting
  isAllowed: boolean
  /** True if the user has chosen to see values. */
  isShown: boolean
}

export function Versions({ setting, isAllowed, isShown }: VersionsProps) {
  const read = useVersions(setting.id, isShown)
  return (
    <Loaded read={read} rows={3}>
      {({ versions }) => (
        <VersionList
          current={setting}
          versions={versions}
          compare={
            isShown
              ? (from, to) => <Difference from={contentOf(from)} to={contentOf(to)} />
              : undefined
          }
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
