import type { StringVersion } from '../../api/dashboard.ts'
import type { ServersideString } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import type { Column } from '../../kit/list.tsx'
import { Loaded } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { AREA, replaceString } from './strings-parts.tsx'
import { Difference } from './version-comparison.tsx'
import { SAVED_COLUMNS, VersionList } from './version-list.tsx'

const NAME_COLUMN: Column<StringVersion> = {
  label: common.name,
  show: ({ name }) => <code>{name}</code>,
}

interface VersionsProps {
  string: ServersideString
  isAllowed: boolean
}

export function StringVersions({ string, isAllowed }: VersionsProps) {
  const read = useRead([AREA, String(string.id), 'versions'], async ({ readDashboard }) => {
    const path = `/strings/${string.id}/versions`
    return (await readDashboard<'string_versions.list'>(path)).versions
  })
  return (
    <Loaded read={read} rows={3}>
      {(versions) => (
        <VersionList
          current={string}
          versions={versions}
          compare={(from, to) => <Difference from={textOf(from)} to={textOf(to)} />}
          columns={[NAME_COLUMN, ...SAVED_COLUMNS]}
          rollBack={isAllowed ? (version) => replaceString(string, contentOf(version)) : undefined}
        />
      )}
    </Loaded>
  )
}

/** The fields of a version, then its value with its own lines. */
function textOf({ version: _, created_at: __, value, ...fields }: StringVersion): string {
  const lines = Object.entries(fields).map(([name, field]) => `${name}: ${field ?? '–'}`)
  return [...lines, '', value].join('\n')
}

const contentOf = ({ version: _, status: __, created_at: ___, ...content }: StringVersion) =>
  content
