import type { Command as Program } from 'commander'
import { CommandError } from '../command.ts'
import { adminCommands } from '../commands.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

interface Item {
  name: string
  description: string
  /** The allowed values of an option that takes one. */
  values: readonly string[]
  takesValue: boolean
}

/** The words that may follow the words of a command: subcommands, or values of its argument, and options. */
interface Node {
  /** Such as `keys create`; empty for the program. */
  path: string
  words: readonly Item[]
  options: readonly Item[]
}

/** Prints the commands as a script for a shell. It runs nothing, so it needs no database. */
export async function completionScript(program: Program, shell: string): Promise<string> {
  const writers: Record<Shell, (nodes: readonly Node[]) => string> = { bash, zsh, fish }
  const known = SHELLS.find((item) => item === shell)
  if (!known)
    throw new CommandError(`<shell>: write one of ${SHELLS.join(', ')}, not "${shell}".`, 2)
  return writers[known](await nodesOf(program, ''))
}

async function nodesOf(program: Program, path: string): Promise<Node[]> {
  const nodes = [await nodeOf(program, path)]
  for (const item of program.commands) {
    nodes.push(...(await nodesOf(item, `${path} ${item.name()}`.trim())))
  }
  return nodes
}

async function nodeOf(program: Program, path: string): Promise<Node> {
  const command = adminCommands.find(({ name }) => name === path)
  const argValues = path === 'completion' ? SHELLS : ((await command?.argValues?.()) ?? [])
  const words = [
    ...program.commands.map((item) => word(item.name(), item.summary() || item.description())),
    ...argValues.map((value) => word(value)),
  ]
  const options = program.options.map(async ({ long, flags, description, required }) => {
    const option = command?.options?.find((item) => item.flags === flags)
    const values = (await option?.values?.()) ?? []
    return { name: long ?? flags, description, values, takesValue: required }
  })
  return { path, words, options: [...(await Promise.all(options)), HELP] }
}

const word = (name: string, description = ''): Item => ({
  name,
  description,
  values: [],
  takesValue: false,
})

const HELP = word('--help', 'show the help')

/** Quotes a text for all three shells; none of our texts needs more. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`

const namesOf = (items: readonly Item[]): string => items.map(({ name }) => name).join(' ')

const lines = (nodes: readonly Node[], write: (node: Node) => readonly string[]): string =>
  nodes.flatMap(write).join('\n')

/** Branches on the path: the words typed so far that are commands. */
const pathCases = (nodes: readonly Node[]): string =>
  nodes.flatMap(({ path }) => (path ? [quoted(path)] : [])).join('|')

const valued = (nodes: readonly Node[]) =>
  nodes.flatMap(({ path, options }) =>
    options.filter((item) => item.takesValue).map((item) => ({ path, ...item })),
  )

function bash(nodes: readonly Node[]): string {
  const values = valued(nodes).map(
    (item) =>
      `    ${quoted(`${item.path} ${item.name}`)}) choices=${quoted(item.values.join(' '))} ;;`,
  )
  const words = lines(nodes, ({ path, words, options }) => [
    `      ${quoted(path)}) choices=${quoted(namesOf([...words, ...options]))} ;;`,
  ])
  return `# tradepost, for bash: source <(tradepost completion bash)
_tradepost() {
  local line=\${COMP_LINE:0:COMP_POINT} path='' choices='' before='' word
  local cur=\${line##* }
  local -a typed
  read -ra typed <<<"\${line%"$cur"}"
  for word in "\${typed[@]:1}"; do
    case "\${path:+$path }$word" in
      ${pathCases(nodes)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path \${typed[-1]}" in
${values.join('\n')}
    *) case "$path" in
${words}
    esac ;;
  esac
  # A list continues after its last comma. Bash itself keeps what stands before a colon.
  [[ $cur == *,* ]] && before="\${cur%,*},"
  COMPREPLY=($(compgen -P "$before" -W "$choices" -- "\${cur##*,}"))
  if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${cur%"\${cur##*:}"}"}")
  fi
}
complete -o default -F _tradepost tradepost
`
}

const described = ({ name, description }: Item): string =>
  quoted(
    description ? `${name.replaceAll(':', '\\:')}:${description}` : name.replaceAll(':', '\\:'),
  )

function zsh(nodes: readonly Node[]): string {
  const values = valued(nodes).map((item) => {
    const offer = item.values.length > 0 ? `compadd -- ${item.values.join(' ')}` : '_files'
    return `    ${quoted(`${item.path} ${item.name}`)}) compset -P '*,'; ${offer}; return ;;`
  })
  const words = lines(nodes, ({ path, words, options }) => [
    `    ${quoted(path)}) items=(${words.map(described).join(' ')}); options=(${options.map(described).join(' ')}) ;;`,
  ])
  return `# tradepost, for zsh: source <(tradepost completion zsh)
_tradepost() {
  local where='' word
  local -a items options
  for word in \${words[2,CURRENT-1]}; do
    case "\${where:+$where }$word" in
      ${pathCases(nodes)}) where="\${where:+$where }$word" ;;
    esac
  done
  case "$where \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$where" in
${words}
  esac
  (( \${#items} )) && _describe command items
  _describe option options
}
compdef _tradepost tradepost
`
}

function fish(nodes: readonly Node[]): string {
  const rows = lines(nodes, ({ path, words, options }) => {
    const at = `complete -c tradepost -n ${quoted(`__tradepost_at ${path}`.trim())}`
    return [
      ...words.map((item) => `${at} -a ${quoted(item.name)} -d ${quoted(item.description)}`),
      ...options.map((item) => {
        const name = `-l ${item.name.slice(2)} -d ${quoted(item.description)}`
        if (!item.takesValue) return `${at} ${name}`
        return item.values.length > 0
          ? `${at} ${name} -x -a ${quoted(item.values.join(' '))}`
          : `${at} ${name} -r`
      }),
    ]
  })
  const paths = nodes.flatMap(({ path }) => (path ? [quoted(path)] : []))
  return `# tradepost, for fish: tradepost completion fish | source
function __tradepost_at
    set -l typed
    for word in (commandline -opc)[2..]
        contains -- (string join ' ' $typed $word) ${paths.join(' ')}; and set -a typed $word
    end
    test (string join ' ' $typed) = "$argv"
end
complete -c tradepost -f
${rows}
`
}
