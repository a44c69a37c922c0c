/* The socket: one connection to one seat, which comes back by itself and loses no answer on the way. */

import type { Happened, Message, Now, Rewound, Welcome } from "./protocol";

export interface Listener {
  welcome(message: Welcome): void;
  happened(message: Happened): void;
  /** The connection is back, and this is what happened meanwhile. */
  resumed(message: Happened): void;
  rewound(message: Rewound): void;
  said(message: Message): void;
  connected(yes: boolean, why: string): void;
}
interface Sent {
  text: string;
  done: (reply: Message) => void;
  /** Gives up, where saying it a second time would do it a second time. */
  lost?: (error: Error) => void;
}

/** Codes after which coming back would change nothing. */
const FINAL = new Set([4400, 4403, 4500]);
/** What the server thinks about for a while; it takes two of these at a time, so the rest wait here. */
const ADVICE = new Set([
  "ideas",
  "default",
  "towards",
  "reach",
  "shade",
  "sight",
  "outlook",
  "advise",
  "chance",
  "odds",
  "rules",
  "reference",
  "moment",
  "recap",
]);
/** What may be said again after a disconnect: questions, and what says how something should be. Of an answer the server knows the nonce. */
const AGAIN = new Set([...ADVICE, "check", "events", "card", "why", "give_orders", "fall", "hook"]);
const AT_ONCE = 2;
const PATIENCE = [300, 700, 1500, 3000, 6000];
/** Milliseconds without a word from the server until it is asked for one, and from then until the line counts as dead. Any word will do: some replies take long. */
const QUIET = 25_000,
  DEAD = 35_000,
  /** The first word takes longest: a long battle that nobody was at is loaded before it. */
  LOADING = 105_000,
  MOST_PATIENT = 600_000;
/** Codes of who is turned away for now: too many are there, or too much was said. */
const TURNED_AWAY = new Set([4409, 4429]);

export class Refused extends Error {
  constructor(readonly reply: Message) {
    super(String(reply.text));
  }
}

export class Wire {
  private socket: WebSocket | null = null;
  private asks = 0;
  private waiting = new Map<number, Sent>();
  private advice: (() => void)[] = [];
  private thinking = 0;
  private line = -1;
  private next = 0;
  private tries = 0;
  /** Whether the server has heard who is here, and said where the battle stands. */
  private greeted = false;
  private closed = false;
  /** Until it is tried to come back. */
  private again = 0;
  /** Why the server is about to end the connection. */
  private farewell = "";
  /** How long a word is waited for: longer each time in vain, as a line may be so slow that a long one takes minutes. */
  private patience = DEAD;
  /** Until the server is asked for a word, or nobody waits for one any more. */
  private listening = 0;

  constructor(
    private who: { token?: string; battle?: string },
    private listener: Listener,
  ) {
    this.connect();
  }

  /** Ask for something; the reply comes, or an error that says why it was refused. */
  ask<T = Message>(message: Record<string, unknown>): Promise<T> {
    const ask = ++this.asks,
      say = String(message.say),
      slow = ADVICE.has(say);
    if (!this.greeted && !AGAIN.has(say))
      return Promise.reject(new Error("There is no connection now, so nothing was done. Try again when it is back."));
    return new Promise((resolve, reject) => {
      const done = (reply: Message) => {
        if (slow) {
          this.thinking--;
          this.thinkOn();
        }
        if (reply.say === "refused") reject(new Refused(reply));
        else resolve(reply as T);
      };
      const text = JSON.stringify({ ...message, ask });
      const go = () => {
        this.waiting.set(ask, { text, done, lost: AGAIN.has(say) ? undefined : reject });
        this.send(text);
      };
      if (slow) {
        this.advice.push(go);
        this.thinkOn();
      } else go();
    });
  }
  private thinkOn(): void {
    while (this.thinking < AT_ONCE && this.advice.length) {
      this.thinking++;
      this.advice.shift()!();
    }
  }

  /** Answer a decision. It is sent again after a disconnect, and counts once. */
  answer(decision: number, answer: unknown): Promise<Message> {
    const nonce = Array.from(crypto.getRandomValues(new Uint8Array(12)), b => b.toString(16).padStart(2, "0")).join("");
    const ask = ++this.asks,
      text = JSON.stringify({ say: "answer", decision, answer, nonce, ask });
    return new Promise((resolve, reject) => {
      const done = (reply: Message) => {
        if (reply.say === "refused") reject(new Refused(reply));
        else resolve(reply);
      };
      this.waiting.set(ask, { text, done });
      this.send(text);
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.again);
    clearTimeout(this.listening);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  private send(text: string): void {
    if (this.greeted && this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.socket = new WebSocket(`${scheme}://${location.host}/socket`));
    this.farewell = "";
    socket.onopen = () => {
      socket.send(JSON.stringify({ say: "hello", ...this.who, line: this.line, since: this.next }));
      this.listen(Math.max(this.patience, LOADING));
    };
    socket.onmessage = event => {
      if (socket !== this.socket) return;
      this.heard();
      this.hear(JSON.parse(event.data));
    };
    socket.onclose = event => {
      if (socket === this.socket) this.broken(event.code, this.farewell || event.reason);
    };
    this.listen(DEAD);
  }
  /** After a while without a word the server is greeted once more. It only replies that it knows, which costs it nothing. */
  private heard(): void {
    clearTimeout(this.listening);
    this.listening = window.setTimeout(() => {
      const ask = ++this.asks,
        text = JSON.stringify({ say: "hello", ask }),
        done = () => {
          this.patience = DEAD;
        };
      this.waiting.set(ask, { text, done, lost: () => {} });
      this.send(text);
      this.listen(this.patience);
    }, QUIET);
  }
  /** Wait for a word: a line may die without one, and a browser would not notice for minutes. */
  private listen(patience: number): void {
    clearTimeout(this.listening);
    this.listening = window.setTimeout(() => {
      const { socket } = this;
      this.patience = Math.min(2 * this.patience, MOST_PATIENT);
      // It takes its time to close, and nobody waits for that.
      this.socket = null;
      this.broken(0, "Nothing is heard from the server.");
      socket?.close();
    }, patience);
  }
  private broken(code: number, why: string): void {
    this.greeted = false;
    clearTimeout(this.listening);
    if (this.closed) return;
    this.lose("The connection broke before the server replied. Look whether it was done, and try again if not.");
    if (FINAL.has(code)) {
      this.listener.connected(false, why || "The server does not know this seat.");
      return;
    }
    const told = why && (!code || TURNED_AWAY.has(code)) ? `${why} Trying again.` : "";
    this.listener.connected(false, told || "The connection is gone; trying again.");
    this.again = window.setTimeout(() => this.connect(), PATIENCE[Math.min(this.tries++, PATIENCE.length - 1)]);
  }

  private lose(why: string): void {
    for (const [ask, { lost }] of this.waiting)
      if (lost) {
        this.waiting.delete(ask);
        lost(new Error(why));
      }
  }

  private hear(message: Message): void {
    if (message.say === "farewell") this.farewell = String(message.text);
    if ("line" in message && "next" in message) this.keepPlace(message as unknown as Now);
    switch (message.say) {
      case "welcome":
      case "resumed": {
        const unheard = [...this.waiting.values()];
        this.tries = 0;
        this.greeted = true;
        this.listener.connected(true, "");
        if (message.say === "welcome") this.listener.welcome(message as unknown as Welcome);
        else this.listener.resumed(message as unknown as Happened);
        for (const { text } of unheard) this.send(text);
        return;
      }
      case "events":
        if (!message.to) {
          this.listener.happened(message as unknown as Happened);
          return;
        }
        break;
      case "rewound":
        this.listener.rewound(message as unknown as Rewound);
        if (!message.to) return;
    }
    const sent = message.to ? this.waiting.get(message.to) : undefined;
    if (sent) {
      this.waiting.delete(message.to as number);
      sent.done(message);
    } else this.listener.said(message);
  }

  private keepPlace(now: Now): void {
    this.line = now.line;
    this.next = now.next;
  }
}
