import { catalogue } from './catalogue.ts'

export const sentRequests = catalogue({
  request: ['Request', 'Anfrage', 'Solicitud'],
  none: ['No request was sent yet.', 'Noch keine Anfrage.', 'Aún no se envió ninguna solicitud.'],
  attempt: ['Attempt', 'Versuch', 'Intento'],
  headers: ['Request headers', 'Header der Anfrage', 'Encabezados de la solicitud'],
  header: ['Header', 'Header', 'Encabezado'],
  value: ['Value', 'Wert', 'Valor'],
  asCurl: ['As curl', 'Als curl', 'Como curl'],
  asCurlLead: [
    'The signature is that of the attempt. A receiver that checks its age refuses it after 5 minutes; “Send again” signs anew.',
    'Die Signatur ist die des Versuchs. Wer ihr Alter prüft, weist sie nach 5 Minuten ab; „Erneut senden“ signiert neu.',
    'La firma es la del intento. Un receptor que comprueba su antigüedad la rechaza tras 5 minutos; «Reenviar» firma de nuevo.',
  ],
  not_recorded: [
    'The request of this attempt is not known.',
    'Die Anfrage dieses Versuchs ist nicht bekannt.',
    'No se conoce la solicitud de este intento.',
  ],
  secret_rolled: [
    'The secret that signed this attempt was replaced, so its headers cannot be shown.',
    'Das Geheimnis, das diesen Versuch signierte, wurde ersetzt. Seine Header können nicht gezeigt werden.',
    'El secreto que firmó este intento fue reemplazado; no se pueden mostrar sus encabezados.',
  ],
  address_refused: [
    'No request was sent: this server does not send to the address. {reason}',
    'Es wurde keine Anfrage gesendet: Dieser Server sendet nicht an die Adresse. {reason}',
    'No se envió ninguna solicitud: este servidor no envía a la dirección. {reason}',
  ],
})
