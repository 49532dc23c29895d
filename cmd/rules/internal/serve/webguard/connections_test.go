package webguard

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
)

// TestConnectionsMakeRoom opens one connection more than an address may have: the idle one goes that is idle for the
// longest time, and the one whose question is being answered stays.
func TestConnectionsMakeRoom(t *testing.T) {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := LimitConnections(plain)
	defer listener.Close()
	accepted := make(chan net.Conn)
	go func() {
		for c, err := listener.Accept(); err == nil; c, err = listener.Accept() {
			accepted <- c
		}
	}()
	connect := func() (client, server net.Conn) {
		t.Helper()
		client, err := net.Dial("tcp", plain.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		return client, <-accepted
	}
	working, served := connect()
	r, err := http.NewRequestWithContext(WithConnection(context.Background(), served), "GET", "/", nil)
	if err != nil {
		t.Fatal(err)
	}
	done := markBusy(r)
	idle, _ := connect()
	for range maxOfAddress - 2 {
		connect()
	}
	_, last := connect()
	if _, err := idle.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the connection that is idle for the longest time is still open: %v", err)
	}
	done()
	if _, err := io.WriteString(served, "x"); err != nil {
		t.Errorf("the connection that is answered was closed: %v", err)
	}
	if n, err := working.Read(make([]byte, 1)); n != 1 {
		t.Error(err)
	}
	last.Close()
	last.Close() // counts once
	if n := len(listener.ofAddress[prefixOf("127.0.0.1:1")]); n != maxOfAddress-1 || listener.count != n {
		t.Errorf("%d and %d connections are counted, want %d", n, listener.count, maxOfAddress-1)
	}
}
