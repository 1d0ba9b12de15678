// `palimpsest completion`: prints a script that completes commands and options in a shell, made from the commands themselves. For names of
// sites and pages the script asks the service, by way of this program.

import { Argument, type Command } from 'commander'
import { COMPLETE_NAMES } from './complete-names.js'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** The words that may follow words of a command line: "sites create" is followed by `--json` and others. */
interface Place {
  after: string
  words: string[]
  /** The kind of names that its arguments are. */
  names: Names
}

type Names = 'sites' | 'pages' | ''

/** The kind of each argument that names something of the service. */
const KINDS: Readonly<Record<string, Names>> = { site: 'sites', page: 'pages', paths: 'pages', from: 'pages' }

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .summary('print a script that completes commands in your shell')
    .description('print a script that completes commands: source <(palimpsest completion bash); ... fish | source')
    .action((shell: Shell) => console.log(SCRIPTS[shell](program)))
}

const SCRIPTS: Readonly<Record<Shell, (program: Command) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

function bashScript(program: Command): string {
  return `_palimpsest() {
  local words= names= current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${casesOf(program)}
  esac
  [[ \${COMP_WORDS[COMP_CWORD-1]} == --site ]] && words= names=sites
  [[ -n $names && $current != -* ]] && words+=" $(palimpsest ${COMPLETE_NAMES} $names -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _palimpsest palimpsest`
}

function zshScript(program: Command): string {
  return `#compdef palimpsest
_palimpsest() {
  local words_after= names= current="\${words[CURRENT]}"
  case "\${(j: :)words[2,CURRENT-1]} " in
${casesOf(program).replaceAll('words=', 'words_after=')}
  esac
  [[ \${words[CURRENT-1]} == --site ]] && words_after= names=sites
  [[ -n $names && $current != -* ]] && words_after+=" $(palimpsest ${COMPLETE_NAMES} $names -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"
  compadd -- \${=words_after}
  _files
}
compdef _palimpsest palimpsest`
}

/** Returns the cases of a shell: those of more words first. */
function casesOf(program: Command): string {
  const places = placesOf(program, []).toSorted((a, b) => b.after.length - a.after.length)
  return places
    .map(({ after, words, names }) => {
      const asked = names === '' ? '' : ` names=${names}`
      return `    ${after === '' ? "' '" : `'${after} '*`}) words='${words.join(' ')}'${asked} ;;`
    })
    .join('\n')
}

function fishScript(program: Command): string {
  const lines = shownOf(program).flatMap((command) => [
    fishLine('__fish_use_subcommand', `-f -a ${command.name()}`, command.description()),
    ...fishLinesOf(command, [command.name()]),
  ])
  return lines.join('\n')
}

function fishLinesOf(command: Command, path: readonly string[]): string[] {
  const isHere = path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
  const names = namesOf(command)
  return [
    ...command.options.map(({ long, description }) => {
      const name = (long ?? '').slice(2)
      return fishLine(isHere, `-l ${name}${name === 'site' ? ` -x ${fishNames('sites')}` : ''}`, description)
    }),
    ...(names === '' ? [] : [fishLine(isHere, fishNames(names), '')]),
    ...command.commands.flatMap((inner) => [
      fishLine(isHere, `-f -a ${inner.name()}`, inner.description()),
      ...fishLinesOf(inner, [...path, inner.name()]),
    ]),
  ]
}

/** The words typed until now, and the one that is being typed, are passed on. */
function fishNames(names: Names): string {
  return `-a '(palimpsest ${COMPLETE_NAMES} ${names} -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`
}

function fishLine(condition: string, what: string, description: string): string {
  return `complete -c palimpsest -n '${condition}' ${what} -d '${description.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}

function placesOf(command: Command, path: readonly string[]): Place[] {
  const options = command.options.flatMap(({ long }) => long ?? [])
  const words = [...shownOf(command).map((inner) => inner.name()), ...options]
  return [
    { after: path.join(' '), words, names: namesOf(command) },
    ...shownOf(command).flatMap((inner) => placesOf(inner, [...path, inner.name()])),
  ]
}

/** Returns the kind of what a command is about; empty for others. */
function namesOf(command: Command): Names {
  const [first] = command.registeredArguments
  return KINDS[first?.name() ?? ''] ?? ''
}

/** Returns its commands, but the hidden one. */
function shownOf(command: Command): Command[] {
  return command.commands.filter((inner) => inner.name() !== COMPLETE_NAMES)
}
