import { errorOf } from '../../../../sdk/client/errors.ts'
import { type Request, securityRequest } from '../../api/action.ts'
import type { StringVersion } from '../../api/dashboard.ts'
import type { ServersideString } from '../../api/security.ts'
import { type StoreContext, useRead } from '../../api/store.ts'
import type { Column } from '../../kit/list.tsx'
import { Loaded } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { AREA } from './strings-parts.tsx'
import { Difference } from './version-comparison.tsx'
import { SAVED_COLUMNS, VersionList } from './version-list.tsx'

const NAME_COLUMN: Column<StringVersion> = {
  label: common.name,
  show: ({ name }) => <code>{name}</code>,
}

interface VersionsProps {
  string: ServersideString
  isAllowed: boolean
  /** True if the user has chosen to see values. */
  isShown: boolean
}

export function StringVersions({ string, isAllowed, isShown }: VersionsProps) {
  const read = useRead(
    [AREA, String(string.id), 'versions', isShown],
    (store) => readVersions(store, string.id, isShown),
    { keepPrevious: true },
  )
  return (
    <Loaded read={read} rows={3}>
      {(versions) => (
        <VersionList
          current={string}
          versions={versions}
          compare={
            isShown ? (from, to) => <Difference from={textOf(from)} to={textOf(to)} /> : undefined
          }
          columns={[NAME_COLUMN, ...SAVED_COLUMNS]}
          rollBack={isAllowed ? (version) => rollBackString(string.id, version) : undefined}
        />
      )}
    </Loaded>
  )
}

const readVersions = async ({ readDashboard }: StoreContext, id: number, reveal: boolean) => {
  const path = `/strings/${id}/versions`
  return (await readDashboard<'string_versions.list'>(path, { reveal })).versions
}

/** The fields of a version, then its value with its own lines. */
function textOf({ version: _, created_at: __, value, ...fields }: StringVersion): string {
  const lines = Object.entries(fields).map(([name, field]) => `${name}: ${field ?? '–'}`)
  return [...lines, '', value].join('\n')
}

const contentOf = ({ version: _, status: __, created_at: ___, ...content }: StringVersion) =>
  content

/** Replaces the string by a former version, whose value is read when the request is sent. */
const rollBackString = (id: number, masked: StringVersion): Request => ({
  ...securityRequest(AREA, 'replace', id, contentOf(masked)),
  send: async (store) => {
    const versions = await readVersions(store, id, true)
    const former = versions.find(({ version }) => version === masked.version)
    if (!former)
      throw errorOf({ operation: AREA, status: 404, code: 'NOT_FOUND', message: common.failed })
    return store.security[AREA].replace(id, contentOf(former))
  },
})
