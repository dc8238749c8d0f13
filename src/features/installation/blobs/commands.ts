import { command, SILENT } from '../../../command.ts'
import { counted } from '../../../kernel/counted.ts'

/** The number of missing files that are printed for people. */
const PRINTED_MAX = 20

export const fileCommands = [
  command({
    name: 'files to-bucket',
    summary: 'Copy the files in DATA_DIR to the bucket of TRADEPOST_S3_BUCKET.',
    examples: ['tradepost files to-bucket', 'tradepost files to-bucket --json'],
    isCheck: true,
    run: async (app, _input, output = SILENT) =>
      (await import('./copy-to-bucket.ts')).copyToBucket(app, output),
    print: ({ copied, present, missing }) =>
      [
        `${counted(copied, 'file')} copied; the bucket had ${present} already.`,
        ...(missing.length > 0 ? [`${counted(missing.length, 'file')} in neither place:`] : []),
        ...missing.slice(0, PRINTED_MAX).map((path) => `  ${path}`),
      ].join('\n'),
  }),
]
