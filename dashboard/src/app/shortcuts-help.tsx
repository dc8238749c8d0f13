import { Modal } from '../kit/modal.tsx'
import { panel } from '../text/panel.ts'
import { shortcuts } from '../text/shortcuts.ts'
import { JUMPS } from './jumps.ts'

const KEYS = [
  { keys: 'Ctrl K', label: shortcuts.keyPalette },
  { keys: 'Ctrl Z', label: shortcuts.keyUndo },
  { keys: 'Ctrl Enter', label: shortcuts.keySend },
  { keys: '/', label: shortcuts.keySearch },
  { keys: 'j k', label: shortcuts.keyRows },
  { keys: 'Enter', label: panel.keyOpen },
  { keys: 'n', label: shortcuts.keyNew },
  { keys: '?', label: shortcuts.keyHelp },
  { keys: 'Esc', label: shortcuts.keyClose },
  { keys: '← →', label: shortcuts.keyChart },
  ...JUMPS.map(({ key, label }) => ({ keys: `g ${key}`, label })),
]

/** The list of the keyboard shortcuts. */
export function ShortcutsHelp({ close }: { close: () => void }) {
  return (
    <Modal title={shortcuts.title} isOpen onClose={close}>
      <dl className="facts keys">
        {KEYS.map((item) => (
          <div key={item.keys}>
            <dt>
              <kbd>{item.keys}</kbd>
            </dt>
            <dd>{item.label}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
