import type { PanelProps } from '../../kit/record-panel.ts'
import { Raw, Stamp } from '../../kit/show.tsx'
import { SidePanel } from '../../kit/side-panel.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { panel } from '../../text/panel.ts'
import { Terms, Validity } from './license-key.tsx'
import { LicenseKeyActions } from './license-key-actions.tsx'
import { useShownKey } from './license-key-frame.tsx'
import { hasText, previewOf } from './license-key-parts.ts'

/** A license key next to the list of license keys. */
export function LicenseKeyPanel(props: PanelProps) {
  const read = useShownKey(props.id)
  return (
    <SidePanel {...props} label={panel.licenseKey} read={read} titleOf={previewOf}>
      {(licenseKey) => (
        <>
          <Stamp state={licenseKey.status} />
          <div className="actions">
            {hasText(licenseKey) ? (
              <LicenseKeyActions licenseKey={licenseKey} />
            ) : (
              <NotAllowed area="client_security" />
            )}
          </div>
          <Validity licenseKey={licenseKey} />
          <Terms licenseKey={licenseKey} />
          <Raw record={licenseKey} />
        </>
      )}
    </SidePanel>
  )
}
