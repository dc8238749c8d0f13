import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Stamp } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { licenseKeys } from '../../text/license-keys.ts'
import { LicenseKeyActions } from './license-key-actions.tsx'
import { hasText, previewOf, type ShownKey } from './license-key-parts.ts'

const TABS = [
  ['', licenseKeys.validity],
  ['/devices', licenseKeys.devices],
  ['/sessions', licenseKeys.sessions],
  ['/history', licenseKeys.history],
] as const

interface TabProps {
  licenseKey: ShownKey
  isAllowed: boolean
}

/** Reads a license key. Users who may not change it get it without its text. */
export function useShownKey(id: string) {
  const isAllowed = useMayWrite('client_security')
  return useRead<ShownKey>(['licenseKeys', Number(id)], async ({ security, readDashboard }) => {
    if (isAllowed) return (await security.licenseKeys.get(Number(id))).key
    const path = `/license-keys/${id}`
    return (await readDashboard<'license_keys.get_masked'>(path)).key
  })
}

/** A tab of a license key, below the head that all its tabs share. */
export function LicenseKeyTab({ children }: { children: (props: TabProps) => ReactNode }) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('client_security')
  const read = useShownKey(id)
  return (
    <Loaded read={read}>
      {(key) => (
        <Frame
          title={previewOf(key)}
          parent={{ to: '/license-keys', label: licenseKeys.title }}
          lead={<Stamp state={key.status} />}
          actions={
            hasText(key) ? (
              <LicenseKeyActions licenseKey={key} />
            ) : (
              <NotAllowed area="client_security" />
            )
          }
        >
          <Tabs
            label={previewOf(key)}
            tabs={TABS.map(([path, label]) => ({ to: `/license-keys/${id}${path}`, label }))}
          />
          {children({ licenseKey: key, isAllowed })}
        </Frame>
      )}
    </Loaded>
  )
}
