import { useRead } from '../../api/store.ts'
import { formatBytes } from '../../kit/format.ts'
import { Copy, Facts, Section, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { system } from '../../text/system.ts'

/** The day in the name of a file, such as `2026-11-23`. */
const today = () => new Date().toISOString().slice(0, 10)

/** The commands that restore a backup next to the running server, check it, and delete it. */
const restoreTestCommands = (file: string): string =>
  [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell reads the variable.
    'mkdir restore-test && cp -p "${DATA_DIR:-data}/secrets.key" restore-test/',
    `npx tradepost restore ${file} --data-dir ./restore-test`,
    'DATA_DIR=./restore-test npx tradepost doctor',
    'rm -r restore-test',
  ].join('\n')

/** The newest backup, and the commands that make one and restore it. */
export function Backups() {
  const read = useRead(['system', 'backup'], async ({ readDashboard }) => {
    const { backup } = await readDashboard<'backups.get_newest'>('/newest-backup')
    return { backup }
  })
  return (
    <Section title={system.backups}>
      <Loaded read={read} rows={4}>
        {({ backup }) => (
          <>
            {backup === null ? (
              <p>{system.noBackup}</p>
            ) : (
              <Facts
                rows={[
                  [system.newest, <Time key="made" at={backup.made_at} ago="machine" />],
                  [system.file, <code key="file">{backup.file}</code>],
                  [system.size, formatBytes(backup.bytes)],
                  [system.sha256, <Copy key="hash" text={backup.sha256} label={system.sha256} />],
                ]}
              />
            )}
            <h3 className="step">{system.make}</h3>
            <Copy
              block
              text={`npx tradepost backup tradepost-${today()}.backup`}
              label={system.make}
            />
            <h3 className="step">{system.restore}</h3>
            <Copy
              block
              text={`npx tradepost restore ${backup?.file ?? 'FILE'} --data-dir ./new-data`}
              label={system.restore}
            />
            <h3 className="step">{system.tryRestore}</h3>
            <Copy
              block
              text={restoreTestCommands(backup?.file ?? 'FILE')}
              label={system.tryRestore}
            />
            <p className="secondary-text">{system.keyApart}</p>
          </>
        )}
      </Loaded>
    </Section>
  )
}
