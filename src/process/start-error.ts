/** Why a process cannot start, as sentences for the operator, and with which exit code it ends. */
export class StartError extends Error {
  override name = 'StartError'
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message)
    this.exitCode = exitCode
  }
}
