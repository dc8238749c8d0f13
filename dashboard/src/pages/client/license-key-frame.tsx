import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LicenseKey } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Stamp } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { LicenseKeyActions } from './license-key-actions.tsx'
import { previewOf } from './license-key-parts.ts'

const TABS = [
  ['', licenseKeys.validity],
  ['/devices', licenseKeys.devices],
  ['/sessions', licenseKeys.sessions],
  ['/history', licenseKeys.history],
] as const

interface TabProps {
  of: LicenseKey
  isAllowed: boolean
}

/** A tab of a license key, below the head that all of them share. */
export function LicenseKeyTab({ children }: { children: (props: TabProps) => ReactNode }) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('client_security')
  const read = useRead(['licenseKeys', Number(id)], async ({ security }) => {
    const { key } = await security.licenseKeys.get(Number(id))
    return key
  })
  return (
    <Loaded read={read}>
      {(key) => (
        <Frame
          title={previewOf(key)}
          parent={{ to: '/license-keys', label: licenseKeys.title }}
          lead={<Stamp state={key.status} />}
          actions={
            isAllowed ? (
              <LicenseKeyActions of={key} />
            ) : (
              <span className="quiet">{common.notAllowed}</span>
            )
          }
        >
          <Tabs
            label={previewOf(key)}
            tabs={TABS.map(([path, label]) => ({ to: `/license-keys/${id}${path}`, label }))}
          />
          {children({ of: key, isAllowed })}
        </Frame>
      )}
    </Loaded>
  )
}
