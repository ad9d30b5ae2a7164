// One board, one WebSocket: JSON messages both ways, and an answer for whoever listens.

export class Line {
  /**
   * @param {{ m: string, [more: string]: unknown }} opening
   * @param {(message: any) => void} heard
   * @param {(reason: string, code: number) => void} lost
   */
  constructor(opening, heard, lost) {
    this.acked = 0;
    this.socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`);
    this.socket.onopen = () => this.send(opening);
    this.socket.onmessage = (event) => heard(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      if (!this.left) lost(event.reason, event.code);
    };
  }

  /** @param {{ m: string, [more: string]: unknown }} message */
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /**
   * Tell the server what has arrived, not for every frame; it never is more than 60 ahead.
   * @param {number} t
   * @param {boolean} [now]
   */
  ack(t, now = false) {
    if (now || t - this.acked >= 15) {
      this.acked = t;
      this.send({ m: 'ack', t });
    }
  }

  leave() {
    this.left = true;
    this.socket.close();
  }
}
